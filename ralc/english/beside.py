"""Requests for a piece of writing, which claims nothing: a story, a letter, the same in other words."""

import re

#: What is written on order claims nothing: a story, a letter, the same in other words.
_ORDERED = re.compile(
    r"\s*(?:please |(?:can|could|would|will) you (?:please )?(?:help me (?:to )?)?)?"
    r"(?:(?:(?:write|compose|draft|structure|invent|make up|start|begin|continue|finish)\b[^.?!\n]{0,60}?\b"
    r"|an? (?:[\w-]+ ){0,3})"
    r"(?:story|tale|poem|haiku|limerick|verse|song|lyrics|letter|e-?mail|message|note|dialogue|scene|joke|riddle"
    r"|toast|speech|soliloquy|(?:movie|film|concert|book|product) review|podcast script"
    r"|script for an? [\w ]*(?:video|film))\b"
    r"|(?:translate|rephrase|paraphrase|proofread)\b"
    # What a conversation was about is said of the conversation.
    r"|(?:summari[sz]e|sum up|recap) (?:our|this|the) (?:whole )?(?:chat|conversation|discussion)\b"
    # So is what somebody else would say.
    r"|(?:pretend|picture yourself)\b|(?:imagine (?:that )?you(?: a|['’])re|if you were) an?\b"
    r"|(?:text|e-?mail|message) (?:my|our|the|her|him|them)\b|(?:continue|finish)(?: the text| this)?:)",
    re.IGNORECASE,
)


def orders_writing(question: str) -> bool:
    """Return whether a question asks for a piece of writing, which claims nothing: a poem, a letter, a translation.

    >>> orders_writing("Write a poem."), orders_writing("a two line poem on autumn"), orders_writing("Who wrote it?")
    (True, True, False)
    """
    return bool(_ORDERED.match(question))
