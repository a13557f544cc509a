"""Where the prose of an answer stands: Markdown is parsed, and only its paragraphs and list items are read.

Headings, tables, code, quotations and HTML are nobody's prose. What a stretch of prose is has a place for each of its
characters in the answer, so that whatever is changed is changed there and nowhere else.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

#: Marks of emphasis, code, links and notes, which are no words.
_MARKS = re.compile(
    r"(?P<code>`+)(?P<inside>[^`\n]*)(?P=code)|\*{1,3}|(?<![^\W_])_{1,3}(?=\S)|(?<=\S)_{1,3}(?![^\W_])|~~|!?\[(?=[^\]\n]{1,200}\]\()|\]\([^()\s]{0,500}\)"
    r"|\[\^?\d{1,3}\]"
)
#: What a line begins with that is no prose, even alone.
_BLOCKS = ("#", ">", "|", "```", "~~~", "    ", "- ", "* ", "<")
_CODE_ALONE = re.compile(r"\s*(`+)[^`\n]+\1[\s.]*")
#: What goes on in the next line.
_GOES_ON = re.compile(r"[a-z(]")


@dataclass(frozen=True)
class TextSpan:
    """A stretch of prose: its words without Markdown, and the place of each character in the answer.

    ``at`` has one entry more than the words have characters: where the stretch ends. ``lone`` says that it is a
    paragraph of the answer itself, and no item of a list.
    """

    words: str
    at: tuple[int, ...]
    lone: bool = True


@lru_cache(maxsize=5_000)
def text_spans(text: str) -> tuple[TextSpan, ...]:
    """Return the stretches of prose of an answer, in order.

    >>> [span.words for span in text_spans("# Rome\\n\\nIt is **old**.\\n\\n- It is large.\\n\\n```\\ncode\\n```")]
    ['It is old.', 'It is large.']
    """
    if _CODE_ALONE.fullmatch(text):
        return ()
    if "\n" not in text and not text.startswith(_BLOCKS):
        run = (len(text) - len(text.lstrip()), len(text.rstrip()))
        return (_stretch(text, run, True),) if text.strip() else ()  # "1945." is no list
    return tuple(stretch for paragraph in _paragraphs(text) for stretch in paragraph)


def prose(text: str) -> str:
    """Return the prose of an answer, each stretch on a line of its own; a text of one line as it is.

    >>> prose("| a |\\n| --- |\\n| 1 |\\n\\nIt is *old*.")
    'It is old.'
    """
    return "\n".join(stretch.words for stretch in text_spans(text)) if "\n" in text else text


def _paragraphs(text: str) -> Iterator[list[TextSpan]]:
    """The stretches of each paragraph and list item."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    opened: list[str] = []
    for token in _markdown().parse(text):
        if token.nesting == 1:
            opened.append(token.type)
        elif token.nesting == -1:
            opened.pop()
        elif token.type == "inline" and opened[-1:] == ["paragraph_open"] and "blockquote_open" not in opened:
            lines = _lines(token.content, text, starts, token.map[0])
            yield [_stretch(text, run, "list_item_open" not in opened) for run in _runs(lines, text)]


def _lines(content: str, text: str, starts: list[int], first: int) -> list[tuple[int, int]]:
    """Where the lines of a paragraph stand in the text, without what marks it as one."""
    found = []
    for number, line in enumerate(content.split("\n"), start=first):
        start = text.find(line, starts[number])
        found.append((start, start + len(line)))
    return found


def _runs(lines: list[tuple[int, int]], text: str) -> Iterator[tuple[int, int]]:
    """Lines that go on in the next one together; any other stands by itself."""
    start, end = lines[0]
    for first, last in lines[1:]:
        if _GOES_ON.match(text, first) and text[end - 1 : end] not in ".!?:":
            end = last
        else:
            yield start, end
            start, end = first, last
    yield start, end


def _stretch(text: str, run: tuple[int, int], lone: bool) -> TextSpan:
    """What stands between two places of a text, without the marks in it."""
    start, end = run
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

    return MarkdownIt("commonmark").enable("table")
