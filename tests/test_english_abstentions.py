"""Whether what a text says is missing is what was asked."""

import pytest

from ralc.english.abstentions import denies_asked


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The background does not say.", True),
        ("The background does not contain the answer.", True),
        ("The population is not given.", True),
        ("It does not mention how many people live there.", True),
        ("There is no information about Chad.", True),
        ("The background does not say where Chad is.", False),
        ("The background does not mention the area of Chad.", False),
        ("The background does not mention how many people live in Peru.", False),
        ("The text gives its time zone, but not its population.", True),
        ("The text gives its population, but no time zone.", False),
    ],
)
def test_denials(text: str, expected: bool) -> None:
    assert denies_asked(text, "How many people live in Chad?") == expected
