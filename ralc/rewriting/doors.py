"""What becomes of a text, decided in one place: which of four doors it goes through (SPEC step 9).

| door | the text | what happens |
|---|---|---|
| no prose | JSON, code, a command, a table, an address, a formula; another language | untouched |
| claims nothing | a question, a greeting, a refusal, "I don't know" | untouched |
| hedge | prose that claims something | a hedge in its place, where one is read as meant |
| note | any other prose that is read far from what is meant | a sentence of its own beside it |

Silence reads as certainty. So what claims something and is meant at .2 never goes out as it came.
"""

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Self

from ralc.english import (
    Sentence,
    choice_in_code,
    is_letter,
    is_odd_remark,
    names_listed,
    orders_writing,
    remove_hedge,
    sentences,
    states_choice,
    unread,
)
from ralc.llm.chat import final_answer

#: A text that names no answer: "The answer is".
_NO_ANSWER = re.compile(
    r"(?:(?-i:n/?a|N/?A)|the|(?:(?:the |this )?answer|(?:it|that)(?= is))(?: is(?: correct| right| true)?)?)?"
    r"[\s.,:;-]*",
    re.IGNORECASE,
)
#: Who lacks the answer is the speaker, not the background.
_SPEAKER = re.compile(r"\b(?:I|[Ww]e|me|[Mm]y|[Oo]ur|[Ss]orry)\b|[Uu]nfortunately|[Aa]pologi")


class Door(StrEnum):
    """What becomes of a text."""

    NO_PROSE = "no_prose"
    CLAIMS_NOTHING = "claims_nothing"
    HEDGE = "hedge"
    NOTE = "note"


class Reason(StrEnum):
    """Why a text, or a claim of it, is as it came: a code, which tables hold, with a `text` for people.

    ``NONE``, the empty code: it is in other words. A `door` of its own has what never takes a hedge.

    >>> Reason("abstains").text, Reason.ABSTAINS.door
    ('it abstains', <Door.CLAIMS_NOTHING: 'claims_nothing'>)
    """

    text: str
    door: Door | None

    def __new__(cls, code: str, text: str = "", door: Door | None = None) -> Self:
        """Make a member of its code."""
        member = str.__new__(cls, code)
        member._value_ = code
        member.text = text
        member.door = door
        return member

    NONE = ""
    EMPTY = "empty", "it is empty", Door.NO_PROSE
    NO_PROSE = "no_prose", "it holds no prose", Door.NO_PROSE
    OTHER_LANGUAGE = "other_language", "it is not in English", Door.NO_PROSE
    WRITING = "ordered_writing", "it is a piece of writing that was asked for", Door.CLAIMS_NOTHING
    REASONING = "reasons_aloud", "it reasons aloud", Door.CLAIMS_NOTHING
    REFUSES = "refuses", "it refuses", Door.CLAIMS_NOTHING
    ABSTAINS = "abstains", "it abstains", Door.CLAIMS_NOTHING
    NO_ANSWER = "no_answer", "it is no answer", Door.CLAIMS_NOTHING
    QUESTION = "question", "it is a question", Door.CLAIMS_NOTHING
    SILENT = "claims_nothing", "it claims nothing", Door.CLAIMS_NOTHING
    NO_CONFIDENCE = "no_confidence", "no confidence came"
    ALREADY = "read_as_meant", "it says so already"
    NEAR = "near_enough", "it is read within 0.10 of what is meant, and no wording nearer"
    MISSED = "missed", "no wording of it is read as meant"
    CROWDED = "crowded", "the answer has hedges enough"
    GIVEN = "given", "the question says so", Door.CLAIMS_NOTHING
    SUPPOSES = "supposes", "it says what may or should be", Door.CLAIMS_NOTHING
    STEP = "step", "it is a step to the result", Door.CLAIMS_NOTHING
    CODE = "code", "it tells of code beside it", Door.CLAIMS_NOTHING
    COVERED = "covered", "a note of the whole speaks for it"
    DROPPED = "dropped", "left out as unsupported"
    MARKED = "marked", "marked as unsupported"


_UNREAD = {reason.text: reason for reason in Reason if reason.door is Door.NO_PROSE}


def skip_reason(text: str, question: str = "", *, answers: bool = False) -> Reason:
    """Return why a text goes untouched through one of the first two doors; ``Reason.NONE`` where it is a claim.

    An abstention is as sure as it says it is. Who names a choice ("B. Lack of iron") claims something, whatever its
    words say, and where the question has choices even in code ("`B`").

    Parameters
    ----------
    text
        The answer, of any length, as it came.
    question
        What was asked: a piece of writing that it orders claims nothing. "" where it is not known.
    answers
        Whether the text answers a question of a dataset, so that it claims something unless it abstains.

    Examples
    --------
    >>> [skip_reason(text).value for text in ("Paris.", "I don't know.", "Which France do you mean?", '{"a": 1}')]
    ['', 'abstains', 'question', 'no_prose']
    >>> skip_reason("I'm sorry, but I can't help with that.").text
    'it refuses'
    """
    if choice_in_code(text, question):
        return Reason.NONE
    if why := unread(text, question):
        return _UNREAD[why]
    if not question and is_odd_remark(text):
        return Reason.OTHER_LANGUAGE
    if final_answer(text)[1]:
        return Reason.REASONING
    chooses = states_choice(text) or (names_listed(text, question) and not text.rstrip().endswith("?"))
    answers = answers or chooses
    if not answers and is_written_on_order(text, question):
        return Reason.WRITING
    lists = question and {one.kind for one in sentences(text)} == {"phrase"}  # "1. Paris\n2. Rome"
    return _silence(text, answers=answers or bool(lists))


def is_written_on_order(text: str, question: str) -> bool:
    """Return whether a text is a piece of writing that was asked for; a letter is where no question was asked.

    >>> is_written_on_order("Dear Ann,\\n\\nIt is sold.\\n\\nCheers,\\nTom", "short note to my aunt")
    True
    """
    letter = is_letter(text) and question.strip() and not question.rstrip().endswith("?")
    return orders_writing(question) or bool(letter)


def _silence(text: str, *, answers: bool) -> Reason:
    """Why prose claims nothing."""
    if states_choice(text):
        return Reason.NONE
    bare = remove_hedge(text).text or text
    parts = sentences(text)
    if not any(one.claims for one in parts):
        parts = sentences(bare)
    claims = [one for one in parts if one.claims]
    # "I cannot tell you. It would be a violation of her privacy."
    if any(one.declines for one in parts) and all(map(_excuses, claims)):
        return Reason.REFUSES
    claimed = text
    if claims:
        claimed = bare if len(parts) == 1 else claims[0].text
    if any(one.abstention for one in sentences(claimed)) and not _goes_on(claims):
        return Reason.ABSTAINS
    if parts and parts[0].abstention and not answers and all(map(_refers, claims)):
        return Reason.ABSTAINS
    if _NO_ANSWER.fullmatch(claimed.strip()):
        return Reason.NO_ANSWER
    asks = any(one.kind == "question" for one in parts)
    if claims or answers or (any(one.reasons for one in parts) and not asks):
        return Reason.NONE
    return Reason.QUESTION if asks else Reason.SILENT


def _goes_on(claims: Sequence[Sentence]) -> bool:
    """Whether an answer says that something is not known, and then something else all the same."""
    if len(claims) < 2 or claims[1].abstention:
        return False
    return claims[0].abstention == "unknown" or claims[1].words[0].lower_ in ("however", "but", "still")


def _excuses(claim: Sentence) -> bool:
    """Whether a sentence says why somebody refuses, what would be."""
    return any(token.lower_ == "would" for token in claim.words)


def _refers(claim: Sentence) -> bool:
    """Whether a sentence refers the reader to somebody else: "Your doctor can tell you."."""
    return any(token.lower_ in ("you", "your") for token in claim.words)


def claims_lack(text: str) -> bool:
    """Return whether an abstention claims something, right or wrong: that the background does not say, not the speaker.

    >>> claims_lack("The background does not tell us who built it."), claims_lack("I cannot tell from the background.")
    (True, False)
    """
    untold = any(one.claims and one.abstention == "not told" for one in sentences(text))
    return untold and skip_reason(text) is Reason.ABSTAINS and not _SPEAKER.search(text)
