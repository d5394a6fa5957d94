"""Ten faults of the service, each in a copy of it, and the tests that must find them."""
