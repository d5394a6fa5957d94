"""Draws the SVG document from standard input as a PNG file to standard output.

``png`` runs this program for each image.
"""

import sys

from resvg_py import svg_to_bytes

if __name__ == "__main__":
    image = svg_to_bytes(
        svg_string=sys.stdin.buffer.read().decode(),
        skip_system_fonts=True,  # they differ between machines
        font_files=sys.argv[1:],
        sans_serif_family="Inter",
    )
    sys.stdout.buffer.write(image)
