"""What results mean, in words: threats and forks, names of cells and lines, reasons, moves ranked, games reviewed."""
