"""The verification of a book finds wrong scores in every layer, and wrong lines."""

from dataclasses import replace
from random import Random

import pytest

from service.book.book import Book, Layer
from service.book.builder.check import Checker
from service.games.catalogue import CONNECT_FOUR_5X4
from tests.book.books import book_of


def wrong_entries(book: Book) -> list[str]:
    checker = Checker(replace(book_of(CONNECT_FOUR_5X4), book=book), Random(1))
    samples = [*checker.last(200), *checker.before(200), *checker.lines(100)]
    return [sample.entry for sample in samples if not sample.right]


def test_nothing_is_wrong_in_a_book_as_it_was_built() -> None:
    assert wrong_entries(book_of(CONNECT_FOUR_5X4).book) == []


@pytest.mark.parametrize("marks", range(9))
def test_wrong_scores_are_found_in_every_layer(marks: int) -> None:
    book = book_of(CONNECT_FOUR_5X4).book
    layers = list(book.layers)
    wrong = bytes(score + 1 & 255 if abs(score) < 100 else score & 255 for score in layers[marks].scores)
    layers[marks] = Layer(layers[marks].shapes, memoryview(wrong).cast("b"))
    assert any(entry.startswith("score ") for entry in wrong_entries(replace(book, layers=layers)))


def test_a_wrong_line_is_found() -> None:
    book = book_of(CONNECT_FOUR_5X4).book
    moves, length = bytes(book.lines.moves), book.lines.length
    shifted = replace(book.lines, moves=memoryview(moves[length:] + moves[:length]))
    assert any(entry.startswith("line [") for entry in wrong_entries(replace(book, lines=shifted)))
