"""Connect Four: values, times and latencies on positions drawn at random."""
