"""The families of games, one file each, games of lines among them; in ``moving`` those whose pieces move.

A file has the parameters, the notation and the words of a family; ``rules`` has its compiled rules. No family imports
another one, except those that extend it.
"""
