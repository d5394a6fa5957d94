"""What results mean: forks, names of cells and lines, reasons in words, moves ranked, games reviewed."""
