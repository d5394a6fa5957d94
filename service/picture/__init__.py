"""Positions as pictures: SVG documents that need no script, no font and no file of another host, and PNG images.

``picture`` puts the parts together. ``layout`` says where each cell is. ``board`` draws the ``grounds``, the ``marks``
on them and the winning line; ``evaluation`` has the bar, and ``colours`` the themes. ``words`` says what a picture
shows. ``card`` puts the board beside words, and ``png`` draws that as an image.
"""
