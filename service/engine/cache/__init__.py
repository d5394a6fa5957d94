"""What is kept of proven results: in a worker, and between instances."""
