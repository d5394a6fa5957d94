"""The compiled rules of the families, one file each: moves, results, symmetries and bounds."""
