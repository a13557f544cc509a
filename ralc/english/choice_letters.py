"""Whether a text names a choice by its letter."""

import re

#: "B. Iron", "(B) iron", "[B. Iron]", "Correct answer: B", "B": a letter first, or all there is.
_CHOICE = re.compile(
    r"\W*(?i:(?:I(?:'d| would| will)? (?:choose|go with|pick|select) )?"
    r"(?:(?:the )?(?:(?:correct|right|best|final) )?(?:answer|choice|option)(?: letter)?(?: is|:)* )?)"
    r"[\[(*_]*[A-J](?:[\])*_]*[.):\]]|[*_.\s]*$|(?= is (?:the )?(?:answer|best|correct|right)\b))"
)


def states_choice(text: str) -> bool:
    """Return whether a text names a choice by its letter, whatever its words say; the choices are not known.

    >>> states_choice("B. Lack of iron"), states_choice("[D. Neither]"), states_choice("A lack of iron")
    (True, True, False)
    """
    return bool(_CHOICE.match(text))
