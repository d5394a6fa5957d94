"""Which requests are let in: heads, bodies, places and rates."""
