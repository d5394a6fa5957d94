"""The families whose pieces move from cell to cell, so that play can go on forever.

``placing`` has what morris and Teeko share: pieces are placed first.
"""
