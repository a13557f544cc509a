"""What was understood of a dataset, and what in it will make wrong labels: said before anything is spent."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd

from ralc.english import unread, words

#: Fewest train questions that a map of two parameters can be fitted on with some meaning.
FEWEST_TRAIN = 10
#: Findings of one kind that are shown one by one.
FINDINGS_SHOWN = 5
#: Share of questions that are not English above which that is said: names and formulas may look like it.
_FOREIGN = 0.1
_BETWEEN = re.compile(r"^\[|\s*;\s*|\s+/\s+|(?<=\w)/(?=\w)|\s+or\s+|\s\|\s")
#: What stands for an answer in a table, and in no text.
_CODE = re.compile(r"[A-Z]{1,3}\d{0,6}|\w+_\w+")
#: Characters of an answer above which it may be the way to one.
_LONG = 120
#: What leads to an answer: arithmetic, a sentence or a line before the last, a conclusion.
_WAY = re.compile(
    r"\d\s*[-+*/×·]\s*\d[^=\n]*=|=[^=,;\n]*=|(?:[a-z]{4}|\d)[.!?]\s+[A-Z]|\n\s*\S"
    r"|(?i:\banswer(?: is|:)|(?:^|[.,;])\s*(?:therefore|hence|thus|so),|[.,;]\s+(?:therefore|hence|thus|so)\b)"
)


@dataclass(frozen=True)
class Findings:
    """What was understood of a dataset, what may make right answers wrong, and what no run should go on with."""

    facts: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...]
    errors: tuple[str, ...]

    def __str__(self) -> str:
        """The findings as lines of text."""
        width = max((len(label) for label, _ in self.facts), default=0)
        lines = [f"  {label.ljust(width)}  {text}" for label, text in self.facts]
        for title, texts in (("look at", self.warnings), ("wrong", self.errors)):
            lines += [f"{title}:", *(f"  {text}" for text in texts)] if texts else []
        return "\n".join(lines)

    def raise_errors(self) -> None:
        """Raise ValueError with the errors, if there are any."""
        if self.errors:
            raise ValueError("; ".join(self.errors))


def check(questions: pd.DataFrame, *, user_file: bool = True) -> Findings:
    """Return the findings about the questions of one dataset, a questions table with ``split``.

    Only in a `user_file` repeats and aliases are doubted: published datasets are kept as they are.
    """
    repeats = list(_repeats(questions))
    across = [text for text, splits in repeats if user_file and len(splits) > 1]
    warnings = _some(_suspicious(questions)) if user_file else []
    warnings += _some(f"asked more than once: {text}" for text, _ in repeats if text not in across)
    texts = questions["question"]
    foreign = texts[[user_file and unread(text) != "" for text in texts]]
    if len(foreign) > _FOREIGN * len(texts):
        warnings.append(
            f"{len(foreign)} of {len(texts)} questions seem not to be English (first: {foreign.iloc[0][:60]!r}); "
            "answers are read, graded and hedged as English alone"
        )
    if (train := int((questions["split"] == "train").sum())) < FEWEST_TRAIN:
        least = f"at least {FEWEST_TRAIN} (better 30) are wanted"
        warnings.append(f"{train} train questions are too few to fit a map on; {least}")
    error = "in train and in test, so the map is tested on what it was fitted on: "
    return Findings(tuple(_facts(questions)), tuple(warnings), tuple(_some(error + text for text in across)))


def _facts(questions: pd.DataFrame) -> Iterator[tuple[str, str]]:
    def counted(column: str) -> str:
        return ", ".join(f"{value} {count:,}" for value, count in questions[column].value_counts().items())

    yield "questions", f"{len(questions):,}"
    yield "formats", counted("format")
    aliases = questions.loc[questions["answerable"], "accepted"].map(len)
    if len(aliases):
        average = f"{aliases.mean():.1f} on average"
        yield "accepted answers", f"{aliases.min()} to {aliases.max()} a question, {average}"
    yield "known wrong answers", f"{int((questions['wrong'].map(len) > 0).sum()):,} questions have some"
    yield "unanswerable", f"{int((~questions['answerable']).sum()):,}"
    if questions["turn"].max() > 1:
        yield "turns", counted("turn")
    yield "subjects", f"{questions['subject'].nunique():,}"
    yield "groups", f"{questions['group'].nunique():,} (questions of one group are resampled together)"
    yield "split", counted("split")


def _repeats(questions: pd.DataFrame) -> Iterator[tuple[str, set[str]]]:
    """Yield each question that is asked more than once: its text and ids, and the splits it is in."""
    places: dict[Any, list[Any]] = {}
    for row in questions.itertuples(index=False):
        context = "" if pd.isna(row.context) else " ".join(row.context.split())
        asked = tuple(words(row.question)) or row.question
        places.setdefault((*map(str, row.history), asked, context, *row.choices), []).append(row)
    for rows in places.values():
        if len(rows) > 1:
            ids = ", ".join(row.question_id for row in rows[:4])
            yield f"{rows[0].question[:60]!r} ({ids})", {row.split for row in rows}


def _suspicious(questions: pd.DataFrame) -> Iterator[str]:
    for row in questions[questions["choices"].map(len) == 0].itertuples(index=False):
        codes = all(map(_CODE.fullmatch, row.accepted))
        for alias in row.accepted:
            doubts = {
                "an accepted answer, or a worked solution (accepted is its end)": len(alias) > _LONG
                or bool(_WAY.search(alias)),
                "one accepted answer, or several (joined by |)": _BETWEEN.search(alias),
                "an accepted answer, or a code for one": codes,
            }
            yield from (f"{row.question_id}: is {alias[:60]!r} {doubt}?" for doubt in doubts if doubts[doubt])


def _some(items: Iterable[str]) -> list[str]:
    """The first few of some findings, and how many more there are."""
    texts = list(items)
    more = len(texts) - FINDINGS_SHOWN
    return [*texts[:FINDINGS_SHOWN], f"... and {more} more like this"] if more > 0 else texts
