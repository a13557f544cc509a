"""The text that an evaluator of English can read: the prose of an answer, where it is English.

Only paragraphs and list items of Markdown are prose, without what a program reads. Each character of prose has its
place in the answer, so that a change is made there and nowhere else.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING

from ralc.english.language import is_english, replies_in_english
from ralc.english.program_text import without_program_text

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

#: Marks of emphasis, code, links and notes, which are no words.
_MARKS = re.compile(
    r"(?P<code>`+)(?P<inside>[^`\n]*)(?P=code)|\*{1,3}|(?<![^\W_])_{1,3}(?=\S)|(?<=\S)_{1,3}(?![^\W_])|~~|!?\[(?=[^\]\n]{1,200}\]\()|\]\([^()\s]{0,500}\)"
    r"|\[\^?\d{1,3}\](?:(?<=^\[\^\d\]):)?|(?<!\S)\[[ xX✓✔]\]\s"
)
#: What a line begins with that is no prose, even alone.
_BLOCKS = ("#", ">", "|", "```", "~~~", "    ", "- ", "* ", "<")
#: Space, and the number of an item, before its words.
_NUMBER = re.compile(r"\s*(?:\d{1,2}[.)]\s+(?=[^\W\d]))?")
_CODE_ALONE = re.compile(r"\s*(`+)[^`\n]+\1[\s.]*")


@dataclass(frozen=True)
class TextSpan:
    """A stretch of prose: its words without Markdown; where each character stands in the answer, then where it ends.

    ``lone``: whether it is a paragraph of the answer itself, and no item of a list.
    """

    words: str
    at: Sequence[int]
    lone: bool = True


@lru_cache(maxsize=2_500)
def text_spans(text: str) -> tuple[TextSpan, ...]:
    """Return the stretches of prose of an answer, in order.

    >>> [span.words for span in text_spans("# Rome\\n\\nIt is **old**.\\n\\n- It is large.\\n\\n```\\ncode\\n```")]
    ['It is old.', 'It is large.']
    """
    text = without_program_text(text)
    if _CODE_ALONE.fullmatch(text) or not text.strip():
        return ()
    if "\n" not in text and not text.startswith(_BLOCKS):  # "1945." is no list
        return (_span(text, _NUMBER.match(text).end(), len(text.rstrip()), lone=True),)
    found = [*_paragraphs(text)]
    own = [span for span, quoted in found if not quoted] or [span for span, _ in found]
    return (replace(own[0], lone=True),) if len(own) == 1 else tuple(own)


def prose(text: str) -> str:
    """Return the prose of an answer, each stretch on a line of its own; a text of one line as it is."""
    if "\n" in text:
        return "\n".join(span.words for span in text_spans(text))
    return without_program_text(text)


def _paragraphs(text: str) -> Iterator[tuple[TextSpan, bool]]:
    """The stretches of the paragraphs and list items, and whether each is quoted.

    Lines that go on in the next one stand together, but for those of a quotation.
    """
    starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    opened: list[str] = []
    for token in _markdown().parse(text):
        if token.nesting == 1:
            opened.append(token.type)
        elif token.nesting == -1:
            opened.pop()
        elif token.type == "inline" and opened[-1:] == ["paragraph_open"]:
            quoted = "blockquote_open" in opened
            lone = "list_item_open" not in opened
            start = None
            end = 0
            for number, line in enumerate(token.content.split("\n"), start=token.map[0]):
                if line.startswith("[ ] "):  # a box that nobody ticked
                    continue
                first = text.find(line, starts[number])  # without what marks it as a paragraph
                goes_on = not quoted and re.match(r"[a-z(]", line) and text[end - 1 : end] not in ".!?:"
                if start is not None and not goes_on:
                    yield _span(text, start, end, lone=lone), quoted
                    start = None
                start = first if start is None else start
                end = first + len(line)
            if start is not None:
                yield _span(text, start, end, lone=lone), quoted


def _span(text: str, start: int, end: int, *, lone: bool) -> TextSpan:
    """What stands between two places of a text, without the marks in it."""
    if not _MARKS.search(text, start, end):
        return TextSpan(text[start:end], range(start, end + 1), lone)
    kept: list[tuple[int, str]] = []
    for mark in _MARKS.finditer(text, start, end):
        kept += enumerate(text[start : mark.start()], start)
        # What stands in code is a name, whatever its letters say.
        kept += ((place, "X") for place in range(*mark.span("inside")))
        start = mark.end()
    kept += enumerate(text[start:end], start)
    return TextSpan("".join(letter for _, letter in kept), (*(place for place, _ in kept), end), lone)


@cache
def _markdown() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # who reads a word of doubt waits for no Markdown

    return MarkdownIt("commonmark").enable("table").disable(["inline", "text_join"])  # paragraphs alone


@lru_cache(maxsize=2_500)
def unread(text: str, question: str = "") -> str:
    """Return why no evaluator of English can read a text; empty where one can (in linear time).

    A name alone can be read in any Latin spelling ("Łódź"); what is written mostly in other letters cannot. To a
    question of another language only a text with words of English alone is English.

    >>> unread("Paris."), unread(" \\n"), unread("北京"), unread("Łódź")
    ('', 'it is empty', 'it is not in English', '')
    """
    if not any(map(str.isalnum, text)):
        return "it is empty"
    parts = prose(text)
    if not any(map(str.isalnum, parts)):
        return "it holds no prose"
    english = is_english(parts) and replies_in_english(parts, question)
    return "" if english else "it is not in English"
