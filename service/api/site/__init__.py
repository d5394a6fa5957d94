"""The pages, the documentation and the contract."""
