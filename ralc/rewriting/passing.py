"""Answers that are not hedged: they pass as they are."""

import re

from ralc.english.legible import unread
from ralc.english.normalisation import abstains, denies_background
from ralc.english.standing import hedges_unclearly
from ralc.llm.reasoning import final_answer

LONGEST = 2000  # characters: a hedge before the first sentence says nothing of an essay
_LIST = re.compile(r"^[^\S\n]*+(?:[-*•]|\d+[.)])[^\S\n]+\S.*\n\s*+(?:[-*•]|\d+[.)])\s", re.MULTILINE)
_SPEAKER = re.compile(r"\b(?:I|[Ww]e|me|us|[Mm]y|[Oo]ur|[Ss]orry)\b|[Uu]nfortunately|[Aa]pologi")
#: Why an abstention passes.
ABSTAINS = "it abstains"
#: Of the text that was given, and not of the world: "the background might not know".
_OF_THE_TEXT = re.compile(
    r"(?:the|this) (?:background|passage|text|context|paragraph|answer|question)\b[^.]{0,20}?(?:\bnot|n['’]t|\bnever)\b"
    r"[^.]{0,20}?\b(?:know|specif|say|mention|state|provide|includ|indicat|tell|give|contain|answer|clear)",
    re.IGNORECASE,
)
#: Less than half.
_LOW = r"[1-4]?\d(?:\.\d+)? ?(?:%|percent|per cent)"
#: A hedge before it would speak of the doubt, and without its doubt it says the opposite.
_DOUBTS = re.compile(
    r"(?:I|we) (?:(?:\w+ly )?doubt|(?:do not|don['’]t) (?:\w+ly )?(?:think|believe))\b"
    r"|it(?: is|['’]s) (?:(?:\w+ly|very|quite|most|rather) )?"
    r"(?:(?:unlikely|improbable|doubtful) (?:that|to be)|impossible that)\b"
    r"|it(?:(?: is|['’]s) not| isn['’]t) (?:(?:\w+ly|very|quite) )?"
    r"(?:(?:certain|sure|clear|obvious|likely|probable) (?:that|if|whether|to be)|possible that)\b"
    r"|there(?: is|['’]s) (?:only )?(?:(?:an? )?(?:very )?(?:slim|slight|remote|small|low|faint|outside)"
    r"|little|no|not much|hardly any|almost no) (?:chance|possibility|probability|likelihood) that\b"
    rf"|there(?: is|['’]s) (?:only )?(?:(?:about|at most|less than) )?an? {_LOW} (?:chance|probability) that\b"
    r"|the (?:chances|odds) are (?:\w+ly |very )?(?:slim|slight|low|small) that\b"
    r"|(?:I|we) have (?:very )?(?:little|hardly any|almost no|no) confidence that\b"
    rf"|(?:I am|I['’]m|we are|we['’]re) (?:only )?(?:about )?{_LOW} (?:sure|certain|confident) that\b",
    re.IGNORECASE,
)
#: What a chat begins with before it answers: "Sure! ...", "Hmm, let me think. ...", "**Answer:** ...". It is left out:
#: "Certainly!" contradicts a hedge, and readers take a first sentence of its own ("Good morning!") for the answer.
_GREETING = re.compile(
    r"^(?:(?:(?:sure(?: thing)?|certainly|absolutely|of course|(?:great|good) question|okay|ok|hm+|well"
    r"|al(?:l )?right|let me (?:think|see)|let['’]s see|(?:hello|hi|hey)(?: there)?"
    r"|good (?:morning|afternoon|evening|day)|(?:(?:I['’]m|I am) )?(?:glad|happy) (?:(?:that )?you asked|to help)"
    r"|thank(?:s| (?-i:you))(?: (?:so|very) much)?(?: for [^.!?:\n]{1,60})?)"
    r"(?:[!.:…]+|,(?=\s+(?:it|the|that|this|I|let|here)\b))|here(?: is|['’]s) (?:an?|the|your|my) [^.!?:\n]{1,40}:"
    r"|\*\*(?:(?:the|final|short) )*answer(?: is)?:?\*\*:?)\s+)+(?=\S)",
    re.IGNORECASE,
)
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
    return passes(text) == ABSTAINS and denies_background(text) and not _SPEAKER.search(text)


def without_greeting(text: str) -> str:
    """Return an answer without what a chat begins with.

    >>> without_greeting("Sure! It is Paris."), without_greeting("Sure."), without_greeting("Alright, Still")
    ('It is Paris.', 'Sure.', 'Alright, Still')
    """
    return _GREETING.sub("", text.strip())


def passes(text: str) -> str:
    """Return why an answer is not to be hedged; empty where it is.

    An abstention is as sure as it says it is, and "perhaps I don't know" is nonsense; what is no answer claims nothing.

    >>> passes("Paris."), passes("I don't know."), passes("Which France do you mean?"), passes("The answer is:")
    ('', 'it abstains', 'it is a question', 'it is no answer')

    A model that refuses, or reasons aloud before it answers, is not hedged either.

    >>> passes("I'm sorry, but I can't help with that."), passes("<think>Lima?</think> It is Lima.")
    ('it refuses', 'it reasons aloud')

    An answer that doubts itself is left as it is: hedged it would say something else.

    >>> passes("I doubt that it is Paris.")
    'it doubts what it names'

    What is said to happen, or to be there, may be nothing.

    >>> passes("Nothing."), passes("None"), passes("N/A"), passes("Na"), passes("A")
    ('', '', 'it is no answer', '', '')
    """
    if why := unread(text):
        return why
    text = without_greeting(text)
    if final_answer(text)[1]:
        return "it reasons aloud"
    if len(text) > LONGEST:
        return f"it is longer than {LONGEST} characters"
    if _LIST.search(text):
        return "it holds a list"
    if text.rstrip().endswith("?"):
        return "it is a question"
    if _NOTHING.fullmatch(text.strip()):
        return "it is no answer"
    if _REFUSES.match(text.strip()):
        return "it refuses"
    if abstains(_IF.sub("", text)) or _OF_THE_TEXT.match(text.strip()):
        return ABSTAINS
    if _DOUBTS.match(text.strip()):
        return "it doubts what it names"
    return "a hedge may belong to what it says" if hedges_unclearly(text) else ""
