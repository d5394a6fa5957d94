"""What a position seems to be worth where its end is too far: a search of limited depth, and the evaluation."""
