"""Parts of boards that families share: lines, symmetries, masks of cells, and marks as text."""
