"""A score of the paper's evaluator: the prompt that asks for it, and what counts as one (appendix C.2)."""

import re

from ralc.prompts import Messages, messages
from ralc.readers.humancues import human_annotated_cues

#: A whole reply that counts as a score: an integer from 0 to 100, nothing else.
SCORE_PATTERN = "100|[1-9]?[0-9]"
LEAST_SHARE = 5 / 9  # a text with fewer valid scores than that, of those wanted, is unscored
_SCORE = re.compile(SCORE_PATTERN)


def question(text: str, cues: str | None = None) -> Messages:
    """Return the evaluator's prompt for a text.

    `cues` is the block of human-annotated cues, by default the committed one.
    """
    block = human_annotated_cues() if cues is None else cues
    return messages("evaluator", human_annotated_cues=block, sentence=text)


def parse_score(reply: str) -> float | None:
    """The score of a reply in [0, 1]; None unless the whole reply is an integer from 0 to 100.

    >>> parse_score(" 85\\n"), parse_score("3/10"), parse_score("101"), parse_score("about 80")
    (0.85, None, None, None)
    """
    found = _SCORE.fullmatch(reply.strip())
    return int(found.group()) / 100 if found else None
