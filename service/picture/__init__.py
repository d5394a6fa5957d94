"""Pictures of positions: SVG documents without scripts, fonts or external files, and PNG images.

``picture`` puts the parts together; start reading there. ``layout`` places the cells; ``board`` draws the ``grounds``,
the ``marks`` and the winning line; ``evaluation`` draws the bar, ``colours`` are the themes. ``words`` describes a
picture. ``card`` puts the board beside text, ``png`` makes an image of a document. It does not know which kind of game
it draws.
"""
