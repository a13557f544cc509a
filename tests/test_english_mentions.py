"""Which of several known names or choices an answer names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralc.clustering.llm_clusterer import chosen
from ralc.english.names import named


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is Guinea-Bissau.", {1}),
        ("It is Guinea.", {0}),
        ("guinea or bissau guinea", {0}),
        ("Fe", {2}),
        ("fe FE", set()),
        ("the Côte d’Ivoire", {3}),
        ("Guineas", set()),
        ("New Guinea", set()),
        ("Guinea Conakry", set()),
        ("in Guinea, Africa", {0}),
    ],
)
def test_named(text: str, expected: set[int]) -> None:
    assert named(text, ["Guinea", "Guinea Bissau", "Fe", "Cote d'Ivoire"]) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("B", 1),
        ("b", 1),
        ("b Paris", 0),
        ("**B**", 1),
        ("Not A or C: it is B.", 1),
        ("(B)", 1),
        ("B. Lyon", 1),
        ("B. Paris", None),
        ("The answer is C.", 2),
        ("The answer is C", 2),
        ("The correct option: A) Paris", 0),
        ("A city named Lyon", 1),
        ("Paris or Lyon", None),
        ("It is Lyon, not Paris.", 1),
        ("Rome", None),
        ("Z.", None),
        ("", None),
    ],
)
def test_chosen(text: str, expected: int | None) -> None:
    assert chosen(text, ["Paris", "Lyon", "Nice"]) == expected


def test_numbers_in_words_are_those_in_digits() -> None:
    assert named("about 5.3 million", ["5,300,000", "5.3", "24"]) == {0}
    assert named("twenty-four", ["24"]) == {0}
    assert named("It was 1066.", ["one thousand sixty-six"]) == {0}


@given(st.text(), st.lists(st.text(max_size=20), max_size=5))
def test_nothing_breaks_them(text: str, names: list[str]) -> None:
    assert named(text, names) <= set(range(len(names)))
    assert chosen(text, names) in {None, *range(len(names))}
