"""Pictures: well-formed, without anything that runs or loads, and with all that they should show."""

import re
from collections.abc import Sequence
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from service.api.read.record import read_record
from service.engine.result import Bounds, Known, Outcome, ProvenResult
from service.games.catalogue import CONNECT_FOUR, LINE_GAMES, QUBIC, STATE_GAMES, TIC_TAC_TOE, WRAPPED_TIC_TAC_TOE
from service.games.families.lines import LineGame, Player, hand_written, line_position, position_after
from service.games.families.notakto import NotaktoGame
from service.games.families.vanishing import VanishingGame
from service.games.game import Game
from service.games.position import Position
from service.picture.board import stroke
from service.picture.colours import DARK, LIGHT, RULES, stylesheet
from service.picture.evaluation import BETWEEN, evaluation
from service.picture.layout import lay_out
from service.picture.picture import Picture
from service.picture.words import fading
from tests.worlds import each_catalogued_game, is_line, read_position, small

SVG = "{http://www.w3.org/2000/svg}"
HARMLESS = {*("svg", "title", "desc", "style", "defs", "g", "rect", "circle", "path", "use", "text", "pattern")}
"""Elements that neither run nor load anything, as long as they refer to nothing outside."""

LINES = hand_written(id="custom", name="this game", rules="", cells=7, lines=[(0, 1, 2), (0, 3, 4), (2, 4, 6)])
FAMILIES: list[Game] = [
    *STATE_GAMES.values(),
    VanishingGame(rows=4, columns=4, marks=4),
    NotaktoGame(boards=2, rows=2, columns=4),
]
GAMES = [*LINE_GAMES.values(), LINES, small(1, 20, 3), small(20, 1, 3), small(1, 1, 1), small(8, 8, 5, misere=True)]

ALL: list[Game] = [*GAMES, *FAMILIES]


def bounds(least: Outcome, most: Outcome, guess: float = 0.0, cells: int = 9) -> Bounds:
    """What is known where the outcome lies between these."""
    scores = {"loss": (-cells, -1), "draw": (0, 0), "win": (1, cells)}
    return Bounds(scores[least][0], scores[most][1], 0, guess)


def initial(game: Game) -> Position:
    return Position(game) if not isinstance(game, LineGame) else line_position(game, 0, 0, "X")


@st.composite
def pictures(draw: st.DrawFn) -> Picture:
    """A picture of a position that play leads to, with whatever may be shown of it."""
    position, last = initial(draw(st.sampled_from(ALL))), None
    for _ in range(draw(st.integers(0, position.game.cells))):
        if not position.legal_moves:
            break
        last = draw(st.sampled_from(position.legal_moves))
        position = position.play(last)
    best = draw(st.sampled_from([None, *position.legal_moves]))
    ends = draw(st.sampled_from([None, *BETWEEN]))
    cells = position.game.cells
    known = None if ends is None else bounds(ends[0], ends[1], draw(st.floats(-1, 1)), cells)
    theme = draw(st.sampled_from(["light", "dark", "auto"]))
    return Picture(position, last, best, known, theme, draw(st.integers(64, 2048)))  # type: ignore[arg-type]


PREFIX = re.compile(r"\bm[0-9a-f]{10}-")
"""What ids and classes begin with."""


def parsed(picture: Picture) -> ET.Element:
    """The document of a picture, with ids and classes as if it were alone."""
    return ET.fromstring(PREFIX.sub("", picture.svg().decode()))


def below(root: ET.Element, tag: str) -> list[ET.Element]:
    return root.findall(f".//{SVG}{tag}")


def parting(position: Position) -> Sequence[int]:
    """The cells whose marks disappear with the next move."""
    return fading(position) if not is_line(position) else ()


def digits(root: ET.Element) -> list[str]:
    """The digits that stand in cells, without one that is only proposed."""
    found = [text for text in below(root, "text") if text.attrib.get("class") in ("side-x", "side-o")]
    return [text.text or "" for text in found if "opacity" not in text.attrib]


def marks(root: ET.Element) -> list[str]:
    """The marks of a picture, without one that is only proposed."""
    return [use.attrib["href"] for use in below(root, "use") if "opacity" not in use.attrib]


@given(pictures())
@hypothesis_settings(deadline=None)
def test_nothing_in_a_picture_runs_or_loads_anything_and_every_class_has_a_rule(picture: Picture) -> None:
    root = parsed(picture)
    ids = {element.attrib["id"] for element in root.iter() if "id" in element.attrib}
    for element in root.iter():
        assert element.tag.removeprefix(SVG) in HARMLESS
        assert element.attrib.get("class") in {None, *RULES}
        for name, value in element.attrib.items():
            assert not name.startswith("on")
            assert "url(" not in value or value.removeprefix("url(#").removesuffix(")") in ids
            if name == "href":
                assert value.removeprefix("#") in ids
    assert b"http" not in picture.svg().replace(b"http://www.w3.org/2000/svg", b"")


@given(pictures())
@hypothesis_settings(deadline=None)
def test_a_picture_shows_every_mark_and_its_size_is_the_longer_side(picture: Picture) -> None:
    root, position = parsed(picture), picture.position
    contents = position.contents if not is_line(position) else str(position)
    fading = [contents[cell] for cell in parting(position)]
    for mark in "XO":
        assert marks(root).count(f"#{mark}") == contents.count(mark) - fading.count(mark)
    assert sorted(digits(root)) == sorted(content for content in contents if content.isdigit())
    sides = int(root.attrib["width"]), int(root.attrib["height"])
    assert max(sides) == picture.size
    _, _, width, height = map(int, root.attrib["viewBox"].split())
    assert sides[0] / sides[1] == pytest.approx(width / height, rel=0.5 / min(sides) + 0.01)


def test_every_cell_has_a_place_of_its_own_within_the_picture() -> None:
    for game in ALL:
        layout = lay_out(game)
        corners = [layout.corner(cell) for cell in range(game.cells)]
        assert all(0 <= x <= layout.width - 100 and 0 <= y <= layout.height - 100 for x, y in corners)
        assert len(set(corners)) == game.cells


@given(pictures())
@hypothesis_settings(deadline=None)
def test_a_picture_says_in_words_what_it_shows(picture: Picture) -> None:
    root, position = parsed(picture), picture.position
    title, words = (root.findtext(f"{SVG}{tag}") or "" for tag in ("title", "desc"))
    assert root.attrib["role"] == "img"
    assert {root.attrib["aria-labelledby"], root.attrib["aria-describedby"]} == {"title", "description"}
    ending = {"in_progress": f"{position.player} to move", "drawn": "Draw", "won": f"{position.winner} wins"}
    assert title.lower().endswith(ending[position.status].lower())
    assert ("The last move" in words) == (picture.last_move is not None)
    assert ("The best move" in words) == (picture.best_move is not None)
    assert ("The complete line is" in words) == (position.winning_line is not None)


def test_a_light_and_a_dark_picture_differ_in_colours_and_auto_has_both() -> None:
    light, dark, auto = (PREFIX.sub("", stylesheet(theme)) for theme in ("light", "dark", "auto"))
    assert set(LIGHT) == set(DARK)
    assert auto == f"{light}@media (prefers-color-scheme:dark){{{dark}}}"
    plain, other = (
        PREFIX.sub("", Picture(read_position("X.. .O. ..."), theme=theme).svg().decode()) for theme in ("light", "dark")
    )
    assert plain.replace(light, dark) == other


def names(picture: Picture) -> tuple[set[str], set[str]]:
    """The ids and the classes of a document, as they stand there."""
    elements = [*ET.fromstring(picture.svg()).iter()]
    ids, classes = ({each.attrib[kind] for each in elements if kind in each.attrib} for kind in ("id", "class"))
    return ids, classes


@given(pictures(), pictures())
@hypothesis_settings(deadline=None)
def test_two_pictures_of_one_page_share_no_id_and_no_class_of_another_colour(one: Picture, other: Picture) -> None:
    (ids, classes), (other_ids, other_classes) = names(one), names(other)
    assert ids.isdisjoint(other_ids) == (one.svg() != other.svg())
    assert classes.isdisjoint(other_classes) or one.theme == other.theme
    selectors = set(re.findall(r"[.]([\w-]+)[{]", ET.fromstring(one.svg()).findtext(f"{SVG}style") or ""))
    assert classes <= selectors
    assert all(map(PREFIX.match, [*selectors, *ids]))
    assert one.svg() == replace(one).svg()


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour as WCAG defines it."""
    parts = [part / 255 for part in bytes.fromhex(colour.removeprefix("#"))]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(part * weight for part, weight in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


CONTRASTS = {
    **dict.fromkeys([("ink", "ground"), ("quiet", "ground")], 4.5),
    **{(mark, ground): 3 for mark in "xo" for ground in ("ground", "newest", "tint")},
    ("dark_red", "red"): 2,
    ("dark_yellow", "yellow"): 3,
}
"""How much colours have to stand out from others."""


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_words_and_marks_stand_out_from_what_is_behind_them(palette: dict[str, str]) -> None:
    for pair, least in CONTRASTS.items():
        darker, lighter = sorted(luminance(palette[name]) for name in pair)
        assert (lighter + 0.05) / (darker + 0.05) >= least, pair


def test_without_being_asked_a_picture_spoils_nothing() -> None:
    position = read_position("XX. OO. ...")
    plain = parsed(Picture(position))
    told = parsed(Picture(position, best_move=2, known=ProvenResult("win", 1, 9, (2,), (2,))))
    assert len(below(told, "use")) == len(below(plain, "use")) + 1
    assert len(below(told, "rect")) > len(below(plain, "rect"))
    assert "wins" not in "".join(plain.itertext())
    assert "X wins in 1 ply." in "".join(told.itertext())


@pytest.mark.parametrize(
    ("known", "player", "words"),
    [
        (ProvenResult("win", 5, 5, (0,), (0, 1, 2, 3, 4)), "X", "X wins in 5 plies"),
        (ProvenResult("loss", 4, -6, (0,), (0, 1, 2, 3)), "O", "X wins in 4 plies"),
        (ProvenResult("draw", 9, 0, (0,), ()), "X", "Draw with best play"),
        (bounds("draw", "win"), "O", "O at least draws"),
        (Bounds(5, 5, 0), "O", "O wins in 5 plies"),
        (bounds("loss", "win", 0.333), "O", "Estimate for X: -0.33"),
    ],
)
def test_the_value_is_told_for_x_and_not_for_the_player_to_move(known: Known, player: Player, words: str) -> None:
    assert evaluation(known, line_position(TIC_TAC_TOE, 0, 0, player)).words == words


def parts_of_bar(known: Known) -> dict[str, int]:
    """The widths of the parts of the bar of X to move: solid and hatched, for X and for O."""
    root = parsed(Picture(line_position(TIC_TAC_TOE, 0, 0, "X"), known=known))
    kinds = [
        (rect.attrib.get("class") or rect.attrib["fill"], int(rect.attrib["width"])) for rect in below(root, "rect")
    ]
    names = {"side-x": "x", "side-o": "o", "url(#hatched-side-x)": "x?", "url(#hatched-side-o)": "o?"}
    return {names[kind]: width for kind, width in kinds if kind in names}


@pytest.mark.parametrize(
    ("known", "parts"),
    [
        (bounds("win", "win"), {"x": 300}),
        (bounds("draw", "draw"), {"x": 150, "o": 150}),
        (bounds("draw", "win", 0.5), {"x": 150, "x?": 75, "o?": 75}),
        (bounds("draw", "win", -0.5), {"x": 150, "o?": 150}),
        (bounds("loss", "draw", -0.5), {"x?": 75, "o?": 75, "o": 150}),
        (bounds("loss", "win", 0), {"x?": 150, "o?": 150}),
    ],
)
def test_the_bar_is_solid_as_far_as_it_is_proven(known: Known, parts: dict[str, int]) -> None:
    assert parts_of_bar(known) == parts


def texts(root: ET.Element) -> list[str]:
    return [element.text or "" for element in below(root, "text")]


LAYERS = [f"Layer {number}" for number in range(1, 5)]


@pytest.mark.parametrize(
    ("game", "named"),
    [
        (TIC_TAC_TOE, []),
        (LINE_GAMES["tic-tac-toe-4x4"], [*"abcd", *"1234"]),
        (CONNECT_FOUR, [*"1234567"]),
        (LINES, [*"0123456"]),
        (QUBIC, LAYERS),
    ],
)
def test_what_a_reader_could_not_count_has_its_name(game: LineGame, named: list[str]) -> None:
    *names, standing = texts(parsed(Picture(initial(game))))
    assert standing == "X to move"
    assert [name for name in names if game is not QUBIC or name in LAYERS] == named


def test_discs_are_told_apart_by_their_shapes_too() -> None:
    root = parsed(Picture(position_after(CONNECT_FOUR, [38, 39])))
    crosses, rings = (group.find(f"{SVG}path").attrib["d"] for group in below(root, "defs")[0])  # type: ignore[union-attr]
    assert crosses != rings


def points(path: str) -> list[tuple[float, float]]:
    """The points of a path of straight lines."""
    return [(float(x), float(y)) for x, y in re.findall(r"[ML](\S+?) ([^ML]+)", path)]


@each_catalogued_game
def test_a_stroke_goes_through_a_line_where_it_is_on_one_layer(game: LineGame) -> None:
    layout = lay_out(game)
    for line in game.lines:
        path = stroke(layout, game, line)
        assert (path is not None) == (len({game.layer_of(cell) for cell in line}) == 1)
        if path and not game.wrap:
            (x, y), (to_x, to_y) = points(path)
            for cell in line:
                across, down = layout.centre(cell)
                assert abs((to_x - x) * (down - y) - (to_y - y) * (across - x)) < 1000  # a unit, over the whole length


def test_a_stroke_leaves_a_wrapped_board_and_comes_in_at_the_other_side_of_a_strip_upside_down() -> None:
    assert stroke(lay_out(WRAPPED_TIC_TAC_TOE), WRAPPED_TIC_TAC_TOE, (0, 4, 8)) == "M50 50L150 150M150 150L250 250"
    # The board begins at 56. Left of the last row is the first one, seen from the other side.
    strip = small(3, 4, 3, wrap="moebius")
    assert stroke(lay_out(strip), strip, (3, 8, 9)) == "M206 250L106 250M106 250L56 250M456 50L406 50"


def test_the_last_move_is_set_off() -> None:
    for game in (TIC_TAC_TOE, CONNECT_FOUR, QUBIC, LINES):
        cell = initial(game).legal_moves[-1]
        position = initial(game).play(cell)
        plain, told = (len(below(parsed(Picture(position, last)), "circle")) for last in (None, cell))
        assert told == plain + 1


def of(game: str, *moves: int | str) -> tuple[Position, int]:
    """The position of a family after these moves, and the number of the last one."""
    played, position = read_record(Position(STATE_GAMES[game]), moves)
    return position, played[-1]


def described(picture: Picture) -> str:
    return parsed(picture).findtext(f"{SVG}desc") or ""


def test_a_mark_that_disappears_next_is_faint_and_named() -> None:
    position, last = of("vanishing-tic-tac-toe", 0, 8, 4, 1, 6, 2)
    (faint,) = [use.attrib for use in below(parsed(Picture(position, last)), "use") if "opacity" in use.attrib]
    assert faint["transform"].startswith("translate(0 0)")
    assert "The mark on a1 disappears with the next move. The last move is c1." in described(Picture(position, last))


def test_a_board_that_is_over_has_its_line_while_others_go_on() -> None:
    position, _ = of("notakto-2", "0.0", "0.1", "0.2")
    (line,) = [path for path in below(parsed(Picture(position)), "path") if path.attrib.get("class") == "dead"]
    assert points(line.attrib["d"]) == [(24, 50), (276, 50)]
    ended, _ = of("notakto", 0, 1, 2)
    classes = [path.attrib.get("class") for path in below(parsed(Picture(ended)), "path")]
    assert (classes.count("dead"), classes.count("win")) == (0, 1)


def test_pieces_stand_where_lines_meet_and_a_move_has_two_ends() -> None:
    position, last = of("tapatan", 4, 0, 3, 5, 1, 7, "3>6")
    (move,) = [move for move in position.legal_moves if position.game.move_name(move) == "0>3"]
    root = parsed(Picture(position, last, move))
    assert len([ring for ring in below(root, "circle") if ring.attrib.get("class") == "win"]) == 2
    assert "The last move moves the piece on a2 to a3. The best move moves the piece on a1 to a2." in described(
        Picture(position, last, move)
    )


def test_a_disc_that_is_taken_out_is_only_ringed() -> None:
    position, _ = of("pop-out-4x4", "d1", "d2")
    for move in position.legal_moves:
        pops = position.game.move_fields(move)["pop"]
        root = parsed(Picture(position, best_move=move))
        assert len([use for use in below(root, "use") if "opacity" in use.attrib]) == (not pops)
        assert ("pops a disc" in described(Picture(position, best_move=move))) == pops


def test_players_without_a_mark_are_named() -> None:
    position, _ = of("numerical-tic-tac-toe", "5@4")
    assert texts(parsed(Picture(position))) == ["5", "Even to move"]
    assert evaluation(bounds("loss", "loss"), position).words == "Odd wins"
    order, _ = of("order-and-chaos-4x4", "X0")
    assert evaluation(bounds("draw", "win"), order).words == "Chaos at least draws"
