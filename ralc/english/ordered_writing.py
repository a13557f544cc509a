"""Orders of a piece of writing, which claims nothing: a poem, a letter, a translation."""

import re

_WRITINGS = (
    "(?:book|concert|film|movie|product) review|dialogue|e-?mail|haiku|joke|letter|limerick|lyrics|message|note"
    "|caption|podcast script|poem|riddle|scene|slogan|soliloquy|song|speech|story|tagline|tale|toast|tweet|verse"
)
_ORDER = re.compile(
    r"\s*(?:please |(?:can|could|would|will) you (?:please )?(?:help me (?:to )?)?)?"
    r"(?:(?:(?:write|compose|draft|structure|invent|make up|start|begin|continue|finish)\b[^.?!\n]{0,60}?\b"
    rf"|an? (?:[\w-]+ ){{0,3}})(?:{_WRITINGS}|script for an? [\w ]*(?:video|film))\b"
    rf"|(?:{_WRITINGS}|rap) (?:about|for|on)\b"
    r"|(?:translate|rephrase|paraphrase|proofread|reword|rewrite)\b"
    # What a conversation was about is said of the conversation, and what somebody else would say is his.
    r"|(?:summari[sz]e|sum up|recap) (?:our|this|the) (?:whole )?(?:chat|conversation|discussion)\b"
    r"|(?:pretend|picture yourself)\b|(?:imagine (?:that )?you(?: a|['’])re|if you were) an?\b"
    r"|(?:text|e-?mail|message) (?:my|our|the|her|him|them)\b|(?:continue|finish)(?: the text| this)?:)",
    re.IGNORECASE,
)


def orders_writing(question: str) -> bool:
    """Return whether a question asks for a piece of writing: a poem, a letter, a translation.

    >>> orders_writing("Write a poem."), orders_writing("a two line poem on autumn"), orders_writing("Who wrote it?")
    (True, True, False)
    """
    return bool(_ORDER.match(question))
