"""Answers of models that reason aloud: only what follows the reasoning is the answer."""

import re

#: GPT-OSS: channels, of which `final` is the answer (as it is, and with special tokens left out).
_CHANNEL = re.compile(
    r"<\|channel\|>\s*(\w+)[^<]*<\|message\|>(.*?)(?=<\|(?:end|return|start|channel|call)\|>|\Z)", re.S
)
_BARE_CHANNELS = re.compile(r"\Aanalysis.*?assistantfinal", re.S)
#: Qwen3, DeepSeek, Mistral: (opening, closing) of the reasoning. The template may have given the opening.
_BRACKETS = (("<think>", "</think>"), ("[THINK]", "[/THINK]"))


def final_answer(text: str) -> tuple[str, bool]:
    """The answer in a text, and whether reasoning was stripped from it.

    Reasoning that never ends leaves no answer.

    >>> final_answer("<think>Lima? Yes.</think>\\n\\nLima.")
    ('Lima.', True)
    >>> final_answer("Lima.")
    ('Lima.', False)
    """
    if channels := _CHANNEL.findall(text):
        return next((said.strip() for name, said in reversed(channels) if name == "final"), ""), True
    if bare := _BARE_CHANNELS.match(text):
        return text[bare.end() :].strip(), True
    for opening, closing in _BRACKETS:
        if closing in text:
            return text.rpartition(closing)[2].lstrip(), True
        if text.lstrip().startswith(opening):
            return "", True
    return text, False
