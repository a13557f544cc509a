"""Orders of a piece of writing, which claims nothing: a poem, a letter, a translation."""

import re

_WRITINGS = (
    "(?:book|concert|film|movie|product) review|dialogue|e-?mail|haiku|joke|letter|limerick|lyrics|message|note"
    "|advert(?:isement)?|allegory|analogy|blog post|caption|conversation between|headline|monologue|movie pitch"
    "|outline|pitch(?: for|$)|(?:lesson|concrete|detailed) plan|podcast script|poem"
    "|(?:opening|descriptive|closing) paragraph|proposal|proverb|riddle|scene|slogan|soliloquy|song|speech|story"
    "|tagline|tale|toast|tweet|verse|video script"
)
_WRITE = (
    "(?:write|compose|draft|craft|create|construct|develop|generate|structure|invent|make up|come up with|pen"
    "|provide an?|start|begin|continue|finish)"
)
_ROLES = (
    "(?:embrace|embody|assume|adopt|play|take on) the (?:role|persona|part|voice) of (?-i:[A-Z])"
    r"|(?:pretend|picture yourself)\b|(?:imagine (?:that )?you(?: a|['’])re|if you were) an?\b"
)
_POLITE = (
    r"\s*(?:(?:now|then),? )?(?:please |(?:(?:can|could|would|will) you (?:please )?)?(?:help me (?:to )?)?)?"
)
_ORDER = re.compile(
    rf"{_POLITE}(?:(?:{_WRITE}\b[^.?!\n]{{0,60}}?\b"
    rf"|an? (?:[\w-]+ ){{0,3}})(?:{_WRITINGS}|script for an? [\w ]*(?:video|film))\b"
    rf"|(?:{_WRITINGS}|rap) (?:about|for|on)\b"
    r"|(?:translate|rephrase|paraphrase|proofread|reword|rewrite)\b"
    # What a conversation was about is said of the conversation, and what somebody else would say is his.
    r"|(?:summari[sz]e|sum up|recap) (?:our|this|the) (?:whole )?(?:chat|conversation|discussion)\b"
    # What is to be shortened stands behind.
    r"|(?:condense|recap|shorten|summari[sz]e|sum up)(?: (?!of\b)\w+){0,8}:(?:\s|$)"
    r"|(?:edit|revise|rework|alter|modify|polish|reformulate) (?:your|my|the|this) [\w ]{0,20}?"
    r"\b(?:answer|draft|paragraph|reply|response|sentences?|text)\b"
    r"|[^.?!\n]{0,80}?\b(?:as|into|in the form of) an? (?:[\w-]+ )?(?:haiku|limerick|poem|rap|song|sonnet)\b"
    r"|(?:describe|imagine) an? (?:[\w-]+,? ){0,6}(?:character|creature|hero(?:ine)?|villain|world)\b"
    r"(?! of| from| in (?-i:[A-Z]))"
    rf"|{_ROLES}"
    r"|(?:describe|explain|tell)\b[^.?!\n]{0,60}? like i['’]?m (?:\d|five|a)\b"
    r"|(?:text|e-?mail|message) (?:my|our|the|her|him|them)\b|(?:continue|finish)(?: the text| this)?:)",
    re.IGNORECASE,
)
_ROLE = re.compile(_POLITE + f"(?:{_ROLES})", re.IGNORECASE)
#: What points at something written before.
_BACK = re.compile(
    r"\b(?:it|its|your|same|again|previous|earlier|above|shorter|longer"
    rf"|more details?|(?:the|this|that|another) (?:\w+ )?(?:{_WRITINGS}))\b",
    re.IGNORECASE,
)

#: An order stands anywhere in a question up to this length, characters; a longer one may quote a document.
_LONGEST = 400
_PARTS = re.compile(rf"(?<=[.!?])\s+|\n|,\s+(?={_WRITE}\b)", re.IGNORECASE)


def orders_writing(question: str) -> bool:
    """Return whether a question asks for a piece of writing: a poem, a letter, a translation.

    >>> orders_writing("Write a poem."), orders_writing("a two line poem on autumn"), orders_writing("Who wrote it?")
    (True, True, False)
    """
    return _orders(_ORDER, question)


def answered_order(order: str, question: str) -> str:
    """Return which of two questions of a conversation the reply to the later one answers, as writing goes on.

    Parameters
    ----------
    order
        What an earlier reply answers.
    question
        The later one.

    Returns
    -------
    The earlier one, where it orders writing that the later one points back at, or a role.

    >>> order = "Write a poem about Rome."
    >>> [answered_order(order, question) == order for question in ("Make it shorter.", "Who founded Rome?")]
    [True, False]
    """
    goes_on = _orders(_ROLE, order) or (orders_writing(order) and _BACK.search(question))
    return order if goes_on else question


def _orders(kind: re.Pattern[str], question: str) -> bool:
    if len(question) > _LONGEST:
        return bool(kind.match(question))
    return any(kind.match(part) for part in _PARTS.split(question))
