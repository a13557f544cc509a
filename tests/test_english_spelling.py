"""Slips of the pen."""

import pytest

from ralc.english.spelling import misspelt


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Canbera", "Canberra"),
        ("the capital is brazilia", "Brasilia"),
        ("Jane Austin", "Jane Austen"),
        ("Hanio, I think", "Hanoi"),
        ("Ougadogou", "Ouagadougou"),
        ("Sanaa", "Sana"),
    ],
)
def test_a_slip_is_found(text: str, name: str) -> None:
    assert list(misspelt(text, [name]))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Canberra", "Canberra"),
        ("Iceland", "Ireland"),
        ("Gambia", "Zambia"),
        ("Cerium", "Curium"),
        ("Mali", "Male"),
        ("1946", "1945"),
        ("Slovenia", "Slovakia"),
        ("Niger", "Nigeria"),
        ("John XXII", "John XXIII"),
        ("Louis XVII", "Louis XVIII"),
        ("Both", "Bot"),
        ("", "Paris"),
    ],
)
def test_another_name_is_no_slip(text: str, name: str) -> None:
    assert not list(misspelt(text, [name]))


def test_what_is_known_to_be_something_else_is_no_slip() -> None:
    assert list(misspelt("Mobiles", ["Mobile"]))
    assert not list(misspelt("Mobiles", ["Mobile"], known=["Mobiles"]))
