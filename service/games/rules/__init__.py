"""The compiled rules of the families, one file each: what a move does, results, symmetries and bounds."""
