"""Answers that are not hedged: they pass as they are, each for a reason."""

import re

from ralc.english import doubts, hedged_sentence, orders_writing, remove_hedge, sentences, unread
from ralc.english.abstention import abstains, denies_background
from ralc.english.hedge_removal import without_brackets
from ralc.llm.reasoning import final_answer

_SPEAKER = re.compile(r"\b(?:I|[Ww]e|me|us|[Mm]y|[Oo]ur|[Ss]orry)\b|[Uu]nfortunately|[Aa]pologi")
#: Why an abstention passes.
ABSTAINS = "it abstains"
#: Why an answer passes in which nothing is claimed.
SILENT = "it claims nothing"
#: Why a story or a letter passes: its sentences claim nothing, though they look as if they did.
ORDERED = "it is a piece of writing that was asked for"
_APOLOGY = r"(?:(?:(?:I['’]m|I am|we['’]re|we are) (?:\w+ )?)?(?:sorry|afraid)\b|I apologi[sz]e\b)[\s,.;:—-]*(?:but )?"
_UNABLE = (
    r"(?: can['’]t| cannot| can not| won['’]t| will not|(?: am| are|['’]m|['’]re) (?:not able|unable) to)"
)
#: What a model says in place of an answer: nothing but that ("I can't provide the date, but it was 1912" answers).
#: After an apology that is whatever *I* cannot, if no more is said ("I cannot agree: it is Rome"); what *we* cannot may
#: be an answer ("we can't ship to Norway").
_REFUSES = re.compile(
    rf"(?:{_APOLOGY}I{_UNABLE}\b(?!.*(?:[:;]|[.!?]\s))"
    rf"|(?:{_APOLOGY}|unfortunately\b[\s,.;:—-]*)?"
    rf"(?:as an? (?:AI|(?:large )?language model)\b[^,.]*, )?(?:I|we){_UNABLE}"
    r" (?:\w+ly )?(?:(?:help|assist)(?= (?:you|with)\b|[.!]|$)|comply|do that|fulfill?|answer (?:that|this|your)"
    r"|provide (?:that|this|such|any|information|assistance|\w+ advice)"
    r"|(?:share|disclose|discuss) (?:that|this|such|any))\b)"
    r"(?!.*\bbut (?!I\b|we\b))",
    re.IGNORECASE | re.DOTALL,
)
#: A condition says of nobody that he does not know: "If you can't tell which it is, open the settings."
_IF = re.compile(
    r"(?:^|(?<=[.!?]\s))(?:if|when|unless|in case)\b[^,.;:!?\n]*,"
    r"|\b(?:if|unless|in case) (?:you|one|they|people)\b[^,.;:!?\n]*",
    re.IGNORECASE,
)
_NOTHING = re.compile(
    r"(?:(?-i:n/?a|N/?A)|the|(?:(?:the |this )?answer|(?:it|that)(?= is))(?: is(?: correct| right| true)?)?)?"
    r"[\s.,:;-]*",
    re.IGNORECASE,
)


def claims_lack(text: str) -> bool:
    """Return whether an abstention claims something, right or wrong: that the background does not say, not the speaker.

    >>> claims_lack("The background does not say who built it."), claims_lack("I cannot tell from the background.")
    (True, False)
    """
    return skip_reason(text) == ABSTAINS and denies_background(text) and not _SPEAKER.search(text)


def skip_reason(text: str, question: str = "") -> str:
    """Return why an answer is not to be hedged; empty where it is.

    An abstention is as sure as it says it is, and "perhaps I don't know" is nonsense; what is no answer claims nothing.

    >>> [skip_reason(text) for text in ("Paris.", "I don't know.", "Which France do you mean?", "The answer is:")]
    ['', 'it abstains', 'it is a question', 'it is no answer']

    A model that refuses, or reasons aloud before it answers, is not hedged, nor what was written on order. An answer
    that doubts itself is left as it is: hedged it would say something else.

    >>> skip_reason("I'm sorry, but I can't help with that."), skip_reason("<think>Lima?</think> It is Lima.")
    ('it refuses', 'it reasons aloud')
    >>> skip_reason("I doubt that it is Paris."), skip_reason("The house was dark.", "Start a detective story.")
    ('it doubts what it names', 'it is a piece of writing that was asked for')
    """
    if why := unread(text):
        return why
    if orders_writing(question):
        return ORDERED
    if final_answer(text)[1]:
        return "it reasons aloud"
    text = without_brackets(text)
    sentence = hedged_sentence(text)
    if sentence is None:
        return _silence(text)
    said = (remove_hedge(text) or text).strip() if len(sentences(text)) == 1 else sentence.words.text
    if _NOTHING.fullmatch(said):
        return "it is no answer"
    if abstains(_IF.sub("", said)):
        return ABSTAINS
    if doubts(text):
        return "it doubts what it names"
    return "a hedge may belong to what it says" if remove_hedge(text) is None else ""


def _silence(text: str) -> str:
    """Why an answer claims nothing."""
    if _REFUSES.match(text.strip()):
        return "it refuses"
    if abstains(_IF.sub("", text)):
        return ABSTAINS
    if _NOTHING.fullmatch(text.strip()):
        return "it is no answer"
    kinds = {sentence.kind for sentence in sentences(text)}
    return "it is a question" if "question" in kinds else SILENT
