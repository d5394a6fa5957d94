"""How strong answers are that are not proven, and how good their estimates."""
