"""Estimates of positions that are too far from their end to be proven.

``estimator`` is a search of limited depth; start reading there. It tries ``candidates``, and ends with ``evaluation``
by ``weights``. ``look_ahead`` is the plain search by which weaker players see.
"""
