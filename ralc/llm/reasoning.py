"""Answers of models that reason aloud: only what follows the reasoning is the answer."""

#: GPT-OSS answers in channels, of which `final` is the answer, and ends each with one of these.
_FINAL, _MESSAGE = "<|channel|>final", "<|message|>"
_ENDS = ("<|end|>", "<|return|>", "<|call|>", "<|start|>", "<|channel|>")
#: The same where special tokens are left out of the text.
_BARE_FIRST, _BARE_FINAL = "analysis", "assistantfinal"
#: Qwen3, DeepSeek, Mistral: (opening, closing) of the reasoning. The template may have given the opening.
_BRACKETS = (("<think>", "</think>"), ("[THINK]", "[/THINK]"))


def final_answer(text: str) -> tuple[str, bool]:
    """The answer in a text, and whether reasoning was stripped from it.

    Reasoning that never ends leaves no answer. Takes time linear in the text, whatever it says.

    >>> final_answer("<think>Lima? Yes.</think>\\n\\nLima.")
    ('Lima.', True)
    >>> final_answer("Lima.")
    ('Lima.', False)
    """
    if "<|channel|>" in text:
        said = text.rpartition(_FINAL)[2].partition(_MESSAGE)[2] if _FINAL in text else ""
        for end in _ENDS:
            said = said.partition(end)[0]
        return said.strip(), True
    if text.startswith(_BARE_FIRST) and _BARE_FINAL in text:
        return text.partition(_BARE_FINAL)[2].strip(), True
    for opening, closing in _BRACKETS:
        if closing in text:
            return text.rpartition(closing)[2].lstrip(), True
        if text.lstrip().startswith(opening):
            return "", True
    return text, False
