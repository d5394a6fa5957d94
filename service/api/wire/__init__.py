"""The types on the wire: requests, answers, their fields and the rules of games."""
