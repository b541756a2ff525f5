"""Prints the outlines of the characters on the boards: `outlines.py FONTS`, the folder @fontsource of npm.

A line has a name, which is the hand that wrote the character and the character itself, and the outline as a path of SVG.
Its ink is centred at 0,0, and the longer side of that is 900 units, in whole numbers; grass script, which is narrow, is
larger.
"""

import sys
from pathlib import Path

from fontTools.pens.basePen import BasePen
from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

# The hand, the font and its weight, the longer side of the ink, and the characters. Liu Jian Mao Cao has no 車 and 馬 but the characters 车 and 马,
# which are those two in grass script.
HANDS = [
    ("grass", "liu-jian-mao-cao", 400, 1080, {"楚": "楚", "士": "士", "象": "象", "馬": "马", "車": "车", "包": "包", "卒": "卒"}),
    ("kai", "lxgw-wenkai-tc", 700, 900, "漢士象馬車包兵帥將仕相傌俥炮砲卒楚河界"),
    ("brush", "yuji-syuku", 400, 900, "玉王飛角金銀桂香歩龍馬全圭杏と"),
    ("round", "zen-maru-gothic", 700, 900, "らきぞひに"),
]
HEADER = """\
# The characters on the boards: name and path. Made by src/app/report/glyphs/make from fonts under the SIL Open Font License
# (OFL.txt), @fontsource 5.3.0: grass is Liu Jian Mao Cao, kai LXGW WenKai TC Bold, brush Yuji Syuku, round Zen Maru Gothic
# Bold."""


class CompactPen(BasePen):
    """Writes relative commands in whole numbers."""

    def __init__(self, glyphs):
        super().__init__(glyphs)
        self.path = ""
        self.at = (0, 0)

    def write(self, command, *points):
        rounded = [(round(x), round(y)) for x, y in points]
        numbers = [number for x, y in rounded for number in (x - self.at[0], y - self.at[1])]
        text = "".join(f"{number}" if number < 0 or place == 0 else f" {number}" for place, number in enumerate(numbers))
        self.path += command + text
        self.at = rounded[-1]

    def _moveTo(self, point):
        self.write("m", point)
        self.start = self.at

    def _lineTo(self, point):
        self.write("l", point)

    def _curveToOne(self, *points):
        self.write("c", *points)

    def _qCurveToOne(self, *points):
        self.write("q", *points)

    def _closePath(self):
        self.path += "z"
        self.at = self.start


def outline(font, character, ink):
    glyphs = font.getGlyphSet()
    glyph = glyphs[font.getBestCmap()[ord(character)]]
    bounds = BoundsPen(glyphs)
    glyph.draw(bounds)
    left, low, right, high = bounds.bounds
    scale = ink / max(right - left, high - low)
    pen = CompactPen(glyphs)
    # Upwards is down in SVG.
    middle = (-scale * (left + right) / 2, scale * (low + high) / 2)
    glyph.draw(TransformPen(pen, (scale, 0, 0, -scale, *middle)))
    return pen.path


def main(folder):
    print(HEADER)
    for hand, name, weight, ink, characters in HANDS:
        # Each font is cut into many files.
        files = sorted(Path(folder, name, "files").glob(f"*-{weight}-normal.woff2"))
        fonts = [TTFont(file) for file in files]
        wanted = characters if isinstance(characters, dict) else {character: character for character in characters}
        for character, drawn in wanted.items():
            font = next(font for font in fonts if ord(drawn) in font.getBestCmap())
            print(f"{hand}{character} {outline(font, drawn, ink)}")


main(sys.argv[1])
