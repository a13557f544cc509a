"""What was understood of a dataset, and what in it will make wrong labels: said before anything is spent."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd

from ralc.english import is_english
from ralc.english.normalisation import normalise

#: Fewest train questions that a map of two parameters can be fitted on with some meaning.
FEWEST_TRAIN = 10
#: Findings of one kind that are shown one by one.
SHOWN = 5

#: Share of questions that are not English above which that is said: names and formulas may look like it.
_FOREIGN = 0.1
_BETWEEN = re.compile(r"\s*;\s*|\s+/\s+|(?<=\w)/(?=\w)|\s+or\s+")


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
        for title, found in (("look at", self.warnings), ("wrong", self.errors)):
            lines += [f"{title}:", *(f"  {text}" for text in found)] if found else []
        return "\n".join(lines)

    def raise_errors(self) -> None:
        """Raise ValueError with the errors, if there are any."""
        if self.errors:
            raise ValueError("; ".join(self.errors))


def check(questions: pd.DataFrame, *, own: bool = True) -> Findings:
    """Return the findings about the questions of one dataset, a questions table with ``split``.

    Only in a file of one's `own` repeats and aliases are doubted: published datasets are kept as they are.
    """
    repeats = list(_repeats(questions))
    across = [text for text, splits in repeats if own and len(splits) > 1]
    others = [text for text, splits in repeats if not (own and len(splits) > 1)]
    train = int((questions["split"] == "train").sum())
    few = (
        f"{train} train questions are too few to fit a map on; at least {FEWEST_TRAIN} (better 30) are wanted"
    )
    warnings = [
        *_some(_suspicious(questions) if own else ()),
        *_some(f"asked more than once: {text}" for text in others),
        *(_foreign(questions) if own else ()),
        *([few] if train < FEWEST_TRAIN else []),
    ]
    errors = _some(
        f"in train and in test, so the map is tested on what it was fitted on: {text}" for text in across
    )
    return Findings(tuple(_facts(questions)), tuple(warnings), tuple(errors))


def _facts(questions: pd.DataFrame) -> Iterator[tuple[str, str]]:
    """What was understood."""
    yield "questions", f"{len(questions):,}"
    yield "formats", _counted(questions["format"])
    aliases = questions.loc[questions["answerable"], "accepted"].map(len)
    if len(aliases):
        yield (
            "accepted answers",
            f"{aliases.min()} to {aliases.max()} a question, {aliases.mean():.1f} on average",
        )
    yield "known wrong answers", f"{int((questions['wrong'].map(len) > 0).sum()):,} questions have some"
    yield "unanswerable", f"{int((~questions['answerable']).sum()):,}"
    yield "subjects", f"{questions['subject'].nunique():,}"
    yield "groups", f"{questions['group'].nunique():,} (questions of one group are resampled together)"
    yield "split", _counted(questions["split"])


def _counted(values: pd.Series) -> str:
    """Values with their counts, largest first."""
    return ", ".join(f"{value} {count:,}" for value, count in values.value_counts().items())


def _repeats(questions: pd.DataFrame) -> Iterator[tuple[str, set[str]]]:
    """Yield each question that is asked more than once: its text and ids, and the splits it is in."""
    places: dict[Any, list[Any]] = {}
    for row in questions.itertuples(index=False):
        context = "" if pd.isna(row.context) else " ".join(row.context.split())
        places.setdefault((normalise(row.question) or row.question, context, *row.choices), []).append(row)
    for rows in places.values():
        if len(rows) > 1:
            ids = ", ".join(row.question_id for row in rows[:4])
            yield f"{rows[0].question[:60]!r} ({ids})", {row.split for row in rows}


def taken_apart(alias: str) -> list[str]:
    """Return the accepted answers that one may have been meant to be; itself alone where it looks like one.

    >>> taken_apart("Paris; Lutetia"), taken_apart("N/A or none"), taken_apart('["a", "b"]'), taken_apart("Paris")
    (['Paris', 'Lutetia'], ['N', 'A', 'none'], ['a', 'b'], ['Paris'])
    """
    listed = alias.strip()
    if listed.startswith("["):
        return [part.strip(" '\"") for part in listed.strip("[]").split(",")]
    return [part for part in _BETWEEN.split(listed) if part]


def _suspicious(questions: pd.DataFrame) -> Iterator[str]:
    """Accepted answers that look like several in one."""
    for row in questions.itertuples(index=False):
        for alias in row.accepted if not len(row.choices) else ():
            if taken_apart(alias) != [alias.strip()]:
                yield f"{row.question_id}: is {alias[:60]!r} one accepted answer, or several (joined by |)?"


def _foreign(questions: pd.DataFrame) -> Iterator[str]:
    """Whether many questions are of another language."""
    asked = questions["question"]
    foreign = asked[[not is_english(text) for text in asked]]
    if len(foreign) > _FOREIGN * len(asked):
        yield (
            f"{len(foreign)} of {len(asked)} questions seem not to be English (first: {foreign.iloc[0][:60]!r}); "
            "answers are read, graded and hedged as English alone"
        )


def _some(found: Iterable[str]) -> list[str]:
    """The first few of some findings, and how many more there are."""
    texts = list(found)
    more = len(texts) - SHOWN
    return [*texts[:SHOWN], f"... and {more} more like this"] if more > 0 else texts
