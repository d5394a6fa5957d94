"""The attacks, each a coroutine that lasts until its time is over."""
