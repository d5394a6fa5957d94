"""The rules of the families, one file each; games of lines among them."""
