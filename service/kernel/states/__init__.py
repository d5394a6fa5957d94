"""Searches over the states of any rules.

``family`` is the protocol of rules; start reading there. ``retrograde`` makes complete tables, ``family_search`` is
alpha-beta for larger games without loops, and ``family_look_ahead`` estimates what it cannot prove.
"""
