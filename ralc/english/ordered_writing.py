"""Orders of a piece of writing, which claims nothing: a poem, a letter, a translation."""

import re

#: What is written, and is no account of facts.
_WRITINGS = (
    "(?:book|concert|film|movie|product) review|dialogue|e-?mail|haiku|joke|letter|limerick|lyrics|message|note"
    "|acronym|advert(?:isement)?|allegory|analogy|bio(?! of)|captions?|compliment"
    "|descriptions? for|conversation between|headlines?|ideas?|monologue"
    "|metaphor|mnemonic|outline|pitch(?: for|$)|(?:lesson|concrete|detailed) plan|poem|post|recipe"
    "|motto|(?:opening|descriptive|closing) paragraph|proposal|proverb|r[ée]sum[ée]|riddle|scene|scenario|script|slogan"
    "|soliloquy|song|speech|story|tagline|tale|title|toast|tweet|verse|names? for"
)
#: What tells of facts, whoever writes it.
_ACCOUNTS = (
    "(?:abstract|account|analysis|answer|article|biograph|chart|comparison|definition"
    "|description (?:about|of)|equation|essay|expression"
    "|explanation|fact|formula|fraction|guide|history|introduction to|list|overview|paper|paragraph|proof|reason|report"
    r"|review of (?:the|what)|sentence|summar|synopsis|table|timeline|tutorial|value)\w*"
)
_MAKE = (
    "(?:(?:re)?write|compose|draft|craft|create|construct|design|develop|generate|implement|structure|invent"
    "|make up|make|come up with|pen|brainstorm|begin|start|continue|finish|plan|prepare|produce|build)"
)
_GIVE = "(?:provide|give(?: me| us)?|share|suggest|propose|choose|think of|tell(?: me| us)?)"
#: What is made is not yet there: "a poem", "five questions", "code", but "the formula", "60 over 72".
_NEW = (
    r"(?:(?:me|us|him|her|them) )?(?:an?|another|some|several|my|our|\d+ (?!and|as|in|over)|two|three|four|five"
    rf"|(?:\w+ )?code|(?!{_ACCOUNTS})\w{{5,}}s)\b"
)
#: Words before the noun of what is made.
_HEAD = r" (?:(?!(?:about|based|for|from|in|of|on|that|to|using|which|with)\b)[\w'’-]+,? ){0,6}"
#: What is worked on is there: a text of the question, or of an earlier reply.
_REWORK = (
    "(?:adjust|alter|capitali[sz]e|change|condense|convert|correct|edit|expand|extend|extract|fix|improve|modify|polish|rearrange|reformulate"
    "|revise|rework|shorten|sum up|summari[sz]e|transform|turn|update)"
)
_ROLES = (
    "(?:embrace|embody|assume|adopt|play|take on) the (?:role|persona|part|voice) of (?-i:[A-Z])"
    r"|pretend (?:that you|to be|you)|picture yourself\b|(?:imagine (?:that )?you(?: a|['’])re|if you were) an?\b"
    r"|as an? [\w -]{1,40}, (?:how|what) (?:would|do) you\b|(?:how|what) would you\b[^.?!\n]{0,60} as an?\b"
    r"|(?:describe|express|share) your (?:day|emotions?|experiences?|feelings?|journey|life|thoughts)\b"
)
_POLITE = (
    r"\s*(?:(?:(?:please )?(?:look|read|take|use)\b[^.?!\n]{0,80}? and|now|then),? )?"
    r"(?:please,? |(?:(?:i|we) (?:need|want|would like|['’]d like) (?:you )?to |you should )"
    r"|(?:(?:can|could|would|will) you (?:please )?)?(?:please )?(?:help me (?:to )?)?)?"
)
_ORDER = re.compile(
    rf"{_POLITE}(?:{_MAKE} {_NEW}(?!{_HEAD}{_ACCOUNTS}\b)"
    rf"|(?:(?:{_MAKE}\b|{_GIVE} {_NEW})[^.?!\n]{{0,60}}?\b|{_GIVE} (?:(?!th|your)\w+ )?"
    r"|an? (?:(?!an?\b)[\w-]+ ){0,3})"
    rf"(?:{_WRITINGS})\b(?! office)|(?:{_WRITINGS}|rap) (?:about|for|on|to)\b"
    r"|(?:translate|rephrase|paraphrase|proofread|reword|rewrite(?! the (?:eq|exp|frac)))\b"
    # What a conversation was about is said of the conversation, and what somebody else would say is his.
    r"|(?:summari[sz]e|sum up|recap) (?:our|this|the) (?:whole )?(?:chat|conversation|discussion)\b"
    # What is worked on stands behind, or is named.
    rf"|(?:{_REWORK}|{_MAKE} [\w ,]{{0,40}}\bsummary)\b"
    r"(?:,? (?!of (?!the (?:\w+ )?(?:paper|text)))(?!for (?:me|us)\b)[\w'’-]+){0,20}(?:[.:]?\n|:\s)"
    rf"|{_REWORK} (?!in|of)[^.?!\n]{{0,80}}\b(?:given|following|provided)\b(?! (?:eq|exp|frac))|extract\b"
    rf"|(?:simplify|{_REWORK})\b[^.?!\n]{{0,40}}[\"“]"
    rf"|{_REWORK} (?:each|every|your|my|the|these|this|following) [\w ]{{0,60}}?"
    r"\b(?:answer|code|draft|e-?mail|paragraph|passage|quer(?:y|ies)|reply|response|sentences?|text|tweet|words?)\b"
    r"|[^.?!\n]{0,80}?\b(?:as|into|in the form of) an? (?:[\w-]+ )?(?:haiku|limerick|poem|rap|song|sonnet)\b"
    r"|(?:describe|imagine) an? (?:[\w-]+,? ){0,6}(?:character|creature|hero(?:ine)?|villain|world)\b"
    r"(?! of| from| in (?-i:[A-Z]))"
    rf"|{_ROLES}|how would you {_MAKE}\b|you[^.?!\n]{{1,20}} (?:asked|tasked) (?:to|with) (?:design|writ|develop|plan)"
    r"|(?:describe|explain|tell)\b[^.?!\n]{0,60}? like i['’]?m (?:\d|five|a)\b"
    r"|(?:text|e-?mail|message) (?:my|our|the|her|him|them)\b|(?:continue|finish)(?: the text| this)?:)",
    re.IGNORECASE,
)
_ROLE = re.compile(_POLITE + f"(?:{_ROLES})", re.IGNORECASE)
#: What points at something written before, and asks nothing of it: not "How tall is it?".
_BACK = re.compile(
    r"(?!\s*(?:who|when|where|which|how (?:big|far|long|many|much|old|tall)|(?:what )?(?:is|are|was|were|does|did))\b)"
    r".*?\b(?:it|its|your|same|again|previous|earlier|above|shorter|longer"
    rf"|more details?|(?:the|this|that|another) (?:\w+ )?(?:{_WRITINGS}))\b",
    re.IGNORECASE | re.DOTALL,
)

#: An order stands anywhere in a question up to this length, characters; a longer one may quote a document.
_LONGEST = 400
_PARTS = re.compile(rf"(?<=[.!?]) +|(?<=\n)|,\s+(?=(?:{_MAKE}|extract)\b)", re.IGNORECASE)


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
    goes_on = _orders(_ROLE, order) or (orders_writing(order) and _BACK.match(question))
    return order if goes_on else question


def _orders(kind: re.Pattern[str], question: str) -> bool:
    asked = question.strip()
    if len(asked) > _LONGEST:  # a document may stand between the first line and the last one
        asked = "\n".join(line[:_LONGEST] for line in (asked.split("\n", 1)[0], asked.rsplit("\n", 1)[-1]))
    return any(kind.match(part) for part in _PARTS.split(asked))
