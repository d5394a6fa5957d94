"""The search: nodes, times, other solvers, and its techniques one by one."""
