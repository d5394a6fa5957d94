"""What is proven without gravity, and in what time: large empty boards, mid-games, technique by technique."""
