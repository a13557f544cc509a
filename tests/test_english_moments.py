"""Dates and times of day."""

import pytest

from ralc.english.moments import in_writing

NAMES = ["20 July 1969", "8 a.m.", "2 p.m."]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("July 20th, '69", "20 July 1969"),
        ("on July the twentieth, nineteen sixty-nine", "on 20 July 1969"),
        ("07/20/1969", "20 July 1969"),
        ("20.7.1969", "20 July 1969"),
        ("1969-07-20", "20 July 1969"),
        ("Jul. 20, 1969", "20 July 1969"),
        ("July 21, 1969", "July 21, 1969"),
        ("20 July 1970", "20 July 1970"),
        ("20 July 1869", "20 July 1869"),
        ("20/7/2069", "20/7/2069"),
        ("July 20", "July 20"),
        ("08:00", "8 a.m."),
        ("eight in the morning", "8 a.m."),
        ("14:00", "2 p.m."),
        ("8 p.m.", "8 p.m."),
        ("8:30 am", "8:30 am"),
    ],
)
def test_a_moment_is_written_as_the_name_that_means_it(text: str, written: str) -> None:
    assert in_writing(text, NAMES) == written


def test_other_texts_stay() -> None:
    assert in_writing("two of them, 3 May 2001", ["Paris"]) == "two of them, 3 May 2001"
