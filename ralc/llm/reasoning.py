"""Answers of models that reason aloud: only what stands outside the reasoning is the answer."""

import re

#: What models write their reasoning between, as ``<think>...</think>`` or ``[THINK]...[/THINK]``.
TAGS = ("think", "thinking", "thought", "reasoning", "seed:think")
#: A tag; one in quotation marks or code is spoken of and not used.
_TAG = re.compile(
    rf"(?<![`'\"])(?:<(?P<end>/)?(?:{'|'.join(TAGS)})>|\[(?P<bracket_end>/)?THINK\])", re.IGNORECASE
)
#: GPT-OSS answers in channels, of which `final` is the answer, and ends each with one of these.
_FINAL, _MESSAGE = "<|channel|>final", "<|message|>"
_CHANNEL_END = re.compile(r"<\|(?:end|return|call|start|channel)\|>")
#: The same where special tokens are left out of the text.
_BARE_FIRST, _BARE_FINAL = "analysis", "assistantfinal"


def final_answer(text: str) -> tuple[str, bool]:
    """Return the answer in a text, and whether reasoning was stripped from it.

    What a closing tag alone ends is reasoning: the chat template gave the opening. So is what an opening tag alone
    begins, where it begins a line. Reasoning that never ends leaves no answer. Takes time linear in the text.

    >>> final_answer("<think>Lima? Yes.</think>\\n\\nLima.")
    ('Lima.', True)
    >>> final_answer("Lima.")
    ('Lima.', False)
    """
    if "<|channel|>" in text:
        said = text.rpartition(_FINAL)[2].partition(_MESSAGE)[2] if _FINAL in text else ""
        return _CHANNEL_END.split(said, maxsplit=1)[0].strip(), True
    if text.startswith(_BARE_FIRST) and _BARE_FINAL in text:
        return text.partition(_BARE_FINAL)[2].strip(), True
    kept: list[str] = []
    at, opened, stripped = 0, None, False
    for tag in _TAG.finditer(text):
        if not (tag["end"] or tag["bracket_end"]):
            opened = tag.start() if opened is None else opened
            continue
        if opened is None:
            kept.clear()
        else:
            kept.append(text[at:opened])
        at, opened, stripped = tag.end(), None, True
    rest = text[at:opened]
    if opened is not None and rest.rpartition("\n")[2].strip():  # spoken of within a line
        rest, opened = text[at:], None
    stripped = stripped or opened is not None
    return ("".join([*kept, rest]).strip() if stripped else text), stripped
