"""What a text affirms and what it denies."""

import time

import pytest

from ralc.english.negation import affirmed_and_denied


@pytest.mark.parametrize(
    ("text", "affirms", "denies"),
    [
        ("It is Paris.", True, False),
        ("It is not Paris.", False, True),
        ("Paris is certainly not it", False, True),
        ("It can't be Paris", False, True),
        ("It is no longer Paris", False, True),
        ("Lyon rather than Paris", False, True),
        ("It is Lyon, instead of Paris", False, True),
        ("Paris instead of Lyon", True, False),
        ("not Lyon but Paris", True, False),
        ("I am not sure it is Paris", True, False),
        ("I'm not quite sure that it is Paris", True, False),
        ("I don't know whether it is Paris", False, False),
        ("not only Paris", True, False),
        ("It is none other than Paris", True, False),
        ("It is not unlikely that it is Paris", True, False),
        ("no doubt Paris", True, False),
        ("I am hardly certain that it is Paris", True, False),
        ("I am far from sure, but it is Paris", True, False),
        ("I highly doubt that it is Paris", False, True),
        ("I do not doubt that it is Paris", True, False),
        ("No way it is Paris", False, True),
        ("It is doubtful that it is Paris", True, False),
        ("It is Paris, unlikely as it seems", True, False),
        ("I was wrong, it is Paris", True, False),
    ],
)
def test_denials(text: str, affirms: bool, denies: bool) -> None:
    affirmed, denied = affirmed_and_denied(text)
    assert ("Paris" in affirmed, "Paris" in denied) == (affirms, denies)


@pytest.mark.parametrize("unit", ["not ", "is ", "isn't ", ", ", "was really ", "not a ", "("])
def test_time_is_bounded(unit: str) -> None:
    started = time.process_time()
    affirmed_and_denied(unit * 50_000)
    assert time.process_time() - started < 2
