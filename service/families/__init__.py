"""The families of games that are more than lines of one's own marks: one file of rules each."""
