"""Draws the SVG document of the standard input as a PNG file on the standard output.

This is a program, which ``png`` runs for each image.
"""

import sys

from resvg_py import svg_to_bytes

if __name__ == "__main__":
    image = svg_to_bytes(
        svg_string=sys.stdin.buffer.read().decode(),
        skip_system_fonts=True,  # they differ from machine to machine
        font_files=sys.argv[1:],
        sans_serif_family="Inter",
    )
    sys.stdout.buffer.write(image)
