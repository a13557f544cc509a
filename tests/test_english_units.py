"""Numbers with units."""

import pytest

from ralc.english.units import agree, in_unit, numbers_of, quantities, unit_asked

METRES = ("length", 1.0)


@pytest.mark.parametrize(
    ("question", "accepted", "unit"),
    [
        ("What is the height of the tower in metres?", ["330"], METRES),
        ("How many kilometres is it?", ["42"], ("length", 1000.0)),
        ("What is its area in square kilometres?", ["5"], ("square length", 1e6)),
        ("How tall is it?", ["330 metres"], METRES),
        ("How many people live in Peru?", ["33 million"], ("count", 1.0)),
        ("When was it built?", ["1889"], None),
    ],
)
def test_unit_that_is_asked_for(question: str, accepted: list[str], unit: tuple[str, float] | None) -> None:
    assert unit_asked(question, accepted) == unit


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("8.849 km", "8849"),
        ("8,849 metres", "8,849"),
        ("8849", "8849"),
        ("8849 kg", "8849kg"),
        ("100 feet", "30.48"),
        ("two towers", "two towers"),
    ],
)
def test_quantities_in_metres(text: str, written: str) -> None:
    assert in_unit(text, METRES) == written


@pytest.mark.parametrize(
    ("text", "meant", "same"),
    [
        ("42.2 km", 42.195, True),
        ("42 km", 42.195, True),
        ("40 km", 42.195, False),
        ("43 km", 42.195, False),
        ("about 17,600,000", 17_563_749, True),
        ("1900", 1945, False),
        ("120", 118, False),
    ],
)
def test_roundings_stand_for_their_number(text: str, meant: float, same: bool) -> None:
    """Two figures at least, never of years or counts."""
    assert (f"{meant:.12g}" in in_unit(text, ("length", 1000.0), [meant])) == same


@pytest.mark.parametrize(
    ("text", "unit", "meant", "written"),
    [
        ("26.2 miles", ("length", 1000.0), 42.195, "42.195"),
        ("42.195 miles", ("length", 1000.0), 42.195, "67.90627"),
        ("212 °F", ("celsius", 1.0), 100.0, "100"),
        ("-40 °F", ("celsius", 1.0), 40.0, "-40degreesF"),
        ("1 hour and 30 minutes", ("time", 60.0), 90.0, "90"),
        ("2 halves of 45 minutes", ("time", 60.0), 90.0, "90"),
        ("2 teams of 45 minutes", ("time", 60.0), 45.0, "2 teams of 45"),
        ("0.1 of a kilogram", ("mass", 0.001), 100.0, "100"),
    ],
)
def test_quantities_compare_by_value(text: str, unit: tuple[str, float], meant: float, written: str) -> None:
    assert in_unit(text, unit, [meant]) == written


def test_names_that_are_no_numbers_give_none() -> None:
    assert numbers_of(["Paris", "5 km", "5,300", "1889 or 1890"], METRES) == [5000.0, 5300.0]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("42 kilometres and 195 metres", "42.195 km", True),
        ("5 feet 11 inches", "71 inches", True),
        ("1 hour, 30 minutes", "90 minutes", True),
        ("5 m and 3 km", "3.005 km", False),
        ("212 degrees Fahrenheit", "100 °C", True),
        ("273.15 kelvin", "0 °C", True),
        ("100 degrees Fahrenheit", "100 °C", False),
    ],
)
def test_quantities_in_several_units_and_temperatures_agree(one: str, other: str, same: bool) -> None:
    assert agree(quantities(one), quantities(other)) == same
