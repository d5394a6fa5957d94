"""Searches that prove a win or a draw without a score.

``threat_search`` finds wins by threats, ``proof_number`` forced wins, ``maker_breaker`` draws on boards without
gravity, with ``live_lines``, ``pairing`` and ``zone_table``. ``canonical`` finds the least symmetric image where there
are many symmetries. Draws by claim-even are in ``bounds``, because they need no search.
"""
