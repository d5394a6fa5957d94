"""What boards of several families share: lines, symmetries, masks of cells and marks as text."""
