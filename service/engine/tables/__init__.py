"""Complete tables: their making, their files, which workers share, and look-ups.

``tablebases`` finds the table of a game; start reading there. ``table_maker`` is the thread that makes tables,
``table_folder`` keeps their files, ``family_table`` is a table. Nothing here searches.
"""
