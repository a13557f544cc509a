"""Dates."""

import pytest

from ralc.english.dates import in_writing


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("July 20th, '69", "20 July 1969"),
        ("07/20/1969", "20 July 1969"),
        ("20.7.1969", "20 July 1969"),
        ("1969-07-20", "20 July 1969"),
        ("Jul. 20, 1969", "20 July 1969"),
        ("July 21, 1969", "July 21, 1969"),
        ("20 July 1970", "20 July 1970"),
        ("20 July 1869", "20 July 1869"),
        ("20/7/2069", "20/7/2069"),
        ("July 20", "July 20"),
    ],
)
def test_a_date_is_written_as_the_name_that_means_it(text: str, written: str) -> None:
    assert in_writing(text, ["20 July 1969"]) == written


def test_other_texts_stay() -> None:
    assert in_writing("two of them, 3 May 2001", ["Paris"]) == "two of them, 3 May 2001"
