"""Load tests, benchmarks and fault injection: ``python -m loadtests --help`` lists the commands."""
