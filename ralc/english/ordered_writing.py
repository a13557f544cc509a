"""Orders of a piece of writing, which claims nothing: a poem, a letter, a translation."""

import re

_WRITINGS = (
    "(?:book|concert|film|movie|product) review|dialogue|e-?mail|haiku|joke|letter|limerick|lyrics|message|note"
    "|advert(?:isement)?|allegory|blog post|caption|conversation between|monologue|movie pitch|podcast script|poem"
    "|(?:opening|descriptive|closing) paragraph|proverb|riddle|scene|slogan|soliloquy|song|speech|story|tagline|tale"
    "|toast|tweet|verse|video script"
)
_ORDER = re.compile(
    r"\s*(?:please |(?:can|could|would|will) you (?:please )?(?:help me (?:to )?)?)?"
    r"(?:(?:(?:write|compose|draft|craft|create|construct|generate|structure|invent|make up|come up with|pen"
    r"|start|begin|continue|finish)\b[^.?!\n]{0,60}?\b"
    rf"|an? (?:[\w-]+ ){{0,3}})(?:{_WRITINGS}|script for an? [\w ]*(?:video|film))\b"
    rf"|(?:{_WRITINGS}|rap) (?:about|for|on)\b"
    r"|(?:translate|rephrase|paraphrase|proofread|reword|rewrite)\b"
    # What a conversation was about is said of the conversation, and what somebody else would say is his.
    r"|(?:summari[sz]e|sum up|recap) (?:our|this|the) (?:whole )?(?:chat|conversation|discussion)\b"
    r"|(?:edit|revise|rework|alter|modify|polish|reformulate) (?:your|my|the|this) [\w ]{0,20}?"
    r"\b(?:answer|draft|paragraph|reply|response|sentences?|text)\b"
    r"|[^.?!\n]{0,80}?\b(?:as|into|in the form of) an? (?:[\w-]+ )?(?:haiku|limerick|poem|rap|song|sonnet)\b"
    r"|(?:describe|imagine) an? (?:[\w-]+,? ){0,6}(?:character|creature|hero(?:ine)?|villain|world)\b"
    r"(?! of| from| in (?-i:[A-Z]))"
    r"|(?:embrace|embody|assume|adopt|play|take on) the (?:role|persona|part|voice) of (?-i:[A-Z])"
    r"|(?:pretend|picture yourself)\b|(?:imagine (?:that )?you(?: a|['’])re|if you were) an?\b"
    r"|(?:text|e-?mail|message) (?:my|our|the|her|him|them)\b|(?:continue|finish)(?: the text| this)?:)",
    re.IGNORECASE,
)

#: An order stands anywhere in a question up to this length, characters; a longer one may quote a document.
_LONGEST = 400
_PARTS = re.compile(r"(?<=[.!?])\s+|\n")


def orders_writing(question: str) -> bool:
    """Return whether a question asks for a piece of writing: a poem, a letter, a translation.

    >>> orders_writing("Write a poem."), orders_writing("a two line poem on autumn"), orders_writing("Who wrote it?")
    (True, True, False)
    """
    if len(question) > _LONGEST:
        return bool(_ORDER.match(question))
    return any(_ORDER.match(part) for part in _PARTS.split(question))
