"""Hedges sourced from language models, each by the paper's prompt (paper section 4.2, appendix D.1).

A reply is untrusted. It should be a Python list; bullets, explanations, prose and lists that break off come as well. So
it is read line by line and never evaluated, and what is no hedge is counted with its fault.
"""

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from ralc import prompts
from ralc.english import in_full
from ralc.lexicon.expressions import SURE, WORDS, described, guess_frame
from ralc.steps import Calls, Step, Workload

#: How much of a reply is looked at, in characters, and how many of its items; how many of them an error tells.
LONGEST_REPLY = 40_000
MOST_ITEMS = 400
_TOLD = 10
#: ASSUME: tokens of the prompt's own words.
PROMPT_TOKENS = 155
#: The longest expression, in words.
MOST_WORDS = 8

#: A quoted text; an apostrophe inside a word ends none.
_TEXT = r"""(?:"((?:\\.|[^"\\]){1,100})"|'((?:\\.|[^'\\]|'(?=\w)){1,100})')"""
#: Quoted texts that are items: a comma, a bracket, a comment or the line's end comes next.
_QUOTED = re.compile(rf"(?<![\w\\]){_TEXT}(?=\s*(?:[,;\])}}#]|$))")
#: A quoted text at the beginning of a bullet, whatever is said about it.
_LEADING = re.compile(_TEXT)
#: What stands around the items of a list: fences of code, comments and headings, and the name of the list.
_AROUND = re.compile(r"^[ \t]*(?:```.*|#.*|\w+[ \t]*=[ \t]*\[[ \t]*)$", re.MULTILINE)
_BULLET = re.compile(r"\s*(?:[-*•–]|\d{1,3}[.)])\s+")
#: Where an expression ends and what it is a hedge of, or what is said about it, begins.
_END = re.compile(r"\.\.|…|[\[\](){}<>_=|:;\"]|\s[-–—]\s|,\s")
_TYPOGRAPHIC = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "`": None, "*": None})

_COMPLEMENT = re.compile(
    rf"\b({SURE}) (?:of|about|in)(?: (?:it|this|that))?$|(?<! on)(?<! to)(?<! with) that(?: [xyz])?$"
)
_PRONOUN = re.compile(r"\bi\b(?!\.)")


@dataclass(kw_only=True)
class Sourcing(Step):
    """Asks a source for lists of hedges.

    Parameters
    ----------
    lists : int
        At least 1; they differ where its temperature is above 0.
    max_tokens : int
        Longest list; one that breaks off there counts.
    name : str
        The source's key in the configuration.
    """

    lists: int = 1
    max_tokens: int = 2048
    name: str = ""

    def ask(self, *, model: Mapping[str, Any]) -> pd.DataFrame:
        """Return one request for all lists: ``source``."""
        prompt = prompts.messages("hedge_sourcing")
        fields = {"messages": prompt, "n": self.lists, "max_tokens": self.max_tokens}
        return self.requests([fields], pd.DataFrame({"source": [self.name]}), model)

    @classmethod
    def calls(cls, run: Workload) -> list[Calls]:
        """Return the calls of one source, whose lists are half as long as they may be."""
        return [Calls(1, run.lists, PROMPT_TOKENS, run.list_tokens / 2)]

    def result(self, replies: pd.DataFrame) -> pd.DataFrame:
        """Return all that the sources said, one row an item: ``model, sample, item, expression, frame, fault``.

        Item is its first 200 characters as they came; expression and frame are read from it (``none`` where it has
        none). Fault is why it is no hedge: ``empty``, ``too long``, ``not words``, ``no frame``, or ``no items`` for a
        reply without any. Else it is empty.
        """
        rows = []
        for reply in replies.itertuples(index=False):
            for item in read_items(reply.reply) or [""]:
                expression, frame, fault = read_hedge(item) if item else ("", None, "no items")
                rows.append((reply.source, reply.sample, item[:200], expression, frame or "none", fault))
        return pd.DataFrame(rows, columns=["model", "sample", "item", "expression", "frame", "fault"])


#: The one method: a model is asked.
METHODS = {"source": Sourcing}


def source_hedges(proposals: pd.DataFrame) -> pd.DataFrame:
    """Return the proposed hedges (`Sourcing`), each once, as `ralc.lexicon.load_hedges` has them.

    Source is the names of all models that proposed it, joined by ``;``. What is no hedge is counted in the log.

    ValueError where no source proposed a hedge.
    """
    for model, items in proposals.groupby("model", sort=False):
        faults = items.loc[items["fault"] != "", "fault"].value_counts()
        refused = ", ".join(f"{fault}: {count}" for fault, count in faults.items()) or "none"
        hedges = items.loc[items["fault"] == "", "expression"].nunique()
        print(f"{model}: {hedges} hedges in {len(items)} items; refused: {refused}", file=sys.stderr)
    good = proposals[proposals["fault"] == ""]
    if good.empty:
        sample = "; ".join(f"{row.item[:60]!r}: {row.fault}" for row in proposals.head(_TOLD).itertuples())
        raise ValueError(
            f"sourced hedges: none in {len(proposals)} items of the sources' replies ({sample}): ask for more lists "
            "(lexicon.lists) or other models (lexicon.sources)"
        )
    grouped = good.groupby("expression")
    models = grouped["model"].agg(lambda names: ";".join(dict.fromkeys(names)))
    return described(pd.DataFrame({"source": models, "frame": grouped["frame"].first()}).reset_index())


def read_items(reply: str | None) -> list[str]:
    """Return the items of a reply, as they stand there; a line of prose is one, too.

    >>> read_items('hedges = ["maybe", "I don\\'t know",\\n  "cert')
    ['maybe', "I don't know", '"cert']
    >>> read_items("1. **Perhaps**: a guess\\n- 'I think' is common")
    ['Perhaps: a guess', 'I think']
    """
    items: list[str] = []
    lines = _AROUND.sub("", (reply or "")[:LONGEST_REPLY]).translate(_TYPOGRAPHIC).splitlines()
    for line in map(str.strip, lines):
        bullet = _BULLET.match(line)
        text = line[bullet.end() :] if bullet else line
        if any(map(str.isalnum, text)):
            leading = _LEADING.match(text) if bullet else None
            quoted = list(_QUOTED.finditer(text)) or ([leading] if leading else [])
            items += [(match[1] or match[2]).replace("\\", "").strip() for match in quoted] or [text]
    return items[:MOST_ITEMS]


def read_hedge(item: str) -> tuple[str, str | None, str]:
    """Return an item's expression, its frame, and what is wrong with it (empty where nothing is).

    The expression is in lower case but for *I*, without contraction, explanation, *that*.

    >>> read_hedge("I'm sure that..."), read_hedge("blue sky")[2], read_hedge("Maybe (low confidence)")[0]
    (('I am sure', 'clause', ''), 'no frame', 'maybe')
    """
    text = _END.split(item.lstrip(".… "), maxsplit=1)[0]
    text = " ".join(in_full(text.strip(" .,!?'\"-")).lower().replace("can not", "cannot").split())
    expression = _PRONOUN.sub("I", _COMPLEMENT.sub(lambda match: match[1] or "", text).strip())
    if not expression:
        return "", None, "empty"
    if len(expression.split()) > MOST_WORDS or len(expression) > 80:
        return expression[:80], None, "too long"
    if not WORDS.fullmatch(expression):
        return expression, None, "not words"
    frame = guess_frame(expression)
    return expression, frame, "" if frame else "no frame"
