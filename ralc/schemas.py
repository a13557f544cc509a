"""The tables that pass between the rules: columns, types and ranges, checked at every write and read.

A table is known by its name: ``check(frame, "items")``. Columns holding lists (choices, hedges,
log-probabilities) are checked for presence alone. Text that does not apply is ``none``, a number
that does not apply is null.
"""

from collections.abc import Collection, Iterable

import pandas as pd
import pandera.pandas as pa

from ralc.names import (
    COUNTERPARTS,
    FORMATS,
    GRADES,
    METHODS,
    METRICS,
    PROMPTS,
    READER_METRICS,
    SIGNALS,
    SPACES,
)

#: Who wrote a rewrite: a model; grammar, which put a hedge into a place (``template``: instead of a model's text that
#: was no good); nobody, as the answer is not to be hedged (``passed``) or stands in for such a text (``none``).
ORIGINS = ("model", "grammar", "template", "passed", "none")


def _text(allowed: Iterable[str] | None = None, *, nullable: bool = False, unique: bool = False) -> pa.Column:
    return pa.Column(
        "str",
        pa.Check.isin(list(allowed)) if allowed else None,
        nullable=nullable,
        unique=unique,
        coerce=True,
    )


def _repeated(*, nullable: bool = False) -> pa.Column:
    """A text that many rows share, kept once."""
    texts = pa.Check(
        lambda column: all(isinstance(one, str) for one in column.cat.categories), error="a text"
    )
    return pa.Column("category", texts, nullable=nullable, coerce=True)


def _number(low: float | None = None, high: float | None = None, *, nullable: bool = False) -> pa.Column:
    checks = [] if low is None else [pa.Check.ge(low)]
    checks += [] if high is None else [pa.Check.le(high)]
    return pa.Column("float64", checks, nullable=nullable, coerce=True)


def _count(low: int = 0, *, nullable: bool = False) -> pa.Column:
    return pa.Column("Int64", pa.Check.ge(low), nullable=nullable, coerce=True)


def _flag(*, coerce: bool = True) -> pa.Column:
    return pa.Column("bool", coerce=coerce)


def _list() -> pa.Column:
    return pa.Column("object", nullable=True)


def _parameter(*, nullable: bool = False) -> pa.Column:
    """A Beta parameter: positive."""
    return pa.Column("float64", pa.Check.gt(0), nullable=nullable, coerce=True)


def _outcome() -> pa.Column:
    return pa.Column("Int8", pa.Check.isin([0, 1]), nullable=True, coerce=True)


_CONDITION = {
    "protocol": _text(),
    "target": _text(),
    "dataset": _text(),
    "train": _text(),
    "signal": _text((*SIGNALS, "none")),
    "method": _text((*METHODS, "none")),
    "space": _text((*SPACES, "none")),
    "reader": _text(),
    "variant": _text(),
}

TABLES: dict[str, dict[str, pa.Column]] = {
    # Whose request it is stands beside it (`ralc.llm.tables`).
    "requests": {
        "key": _text(),
        "model": _text(),
        "head": _repeated(),
        "tail": _text(),
        "n": _count(1),
        "temperature": _number(0),
        "top_p": _number(0, 1),
        "top_k": _count(),
        "min_p": _number(0, 1),
        "max_tokens": _count(1),
        "stop": _repeated(),
        "seed": _count(),
        "logprobs": _flag(coerce=False),
        "constraint": _repeated(nullable=True),
        "attempt": _count(1),
        "alternatives": _repeated(),
        "embedding": _flag(coerce=False),
    },
    "responses": {
        "key": _text(),
        "sample": _count(),
        "text": _text(nullable=True),
        "finish_reason": _text(),
        "token_logprobs": _list(),
        "prompt_tokens": _count(),
        "completion_tokens": _count(),
        "reasoning_tokens": _count(),
        "error": _text(nullable=True),
        "attempt": _count(1),
        "valid": _flag(),
        "alternatives": _list(),
        "embedding": _list(),
    },
    "questions": {
        "question_id": _text(unique=True),
        "dataset": _text(),
        "format": _text(FORMATS),
        "question": _text(),
        "choices": _list(),
        "context": _text(nullable=True),
        "title": _text(nullable=True),
        "accepted": _list(),
        "wrong": _list(),
        "correct_choice": _count(nullable=True),
        "subject": _text(),
        "answerable": _flag(),
        "group": _text(),
        "split": _text(("train", "test")),
    },
    "samples": {
        "question_id": _text(),
        "prompt": _text(PROMPTS),
        "sample": _count(),
        "text": _text(),
        "finish_reason": _text(),
        "token_logprobs": _list(),
    },
    "clusters": {"question_id": _text(), "sample": _count(), "cluster": _count(), "fallback": _flag()},
    "answers": {
        "question_id": _text(),
        "prompt": _text(PROMPTS),
        "text": _text(),
        "support": _count(nullable=True),
        "samples": _count(1, nullable=True),
        "fallback": _flag(),
    },
    "grades": {
        "question_id": _text(),
        "prompt": _text(PROMPTS),
        "grade": _text(GRADES),
        "outcome": _outcome(),
    },
    "texts": {"item": _text(unique=True), "text": _text()},
    "readings": {
        "item": _text(),
        "text": _text(),
        "reader": _text(),
        "alpha": _parameter(nullable=True),
        "beta": _parameter(nullable=True),
        "readings": _count(),
    },
    "signals": {
        "protocol": _text(),
        "question_id": _text(),
        "signal": _text(SIGNALS),
        "alpha": _parameter(nullable=True),
        "beta": _parameter(nullable=True),
    },
    "calibrated": {
        "protocol": _text(),
        "question_id": _text(),
        "dataset": _text(),
        "train": _text(),
        "signal": _text(SIGNALS),
        "variant": _text(),
        "alpha": _parameter(),
        "beta": _parameter(),
    },
    "retrieved": {
        "question_id": _text(),
        "train": _text(),
        "signal": _text((*SIGNALS, "none")),
        "method": _text(METHODS),
        "variant": _text(),
        "alpha": _parameter(),
        "beta": _parameter(),
        "hedges": _list(),
    },
    "plan": {
        "target": _text(),
        "question_id": _text(),
        "train": _text(),
        "signal": _text((*SIGNALS, "none")),
        "method": _text(METHODS),
        "variant": _text(),
        "alpha": _parameter(),
        "beta": _parameter(),
        "hedges": _list(),
        "text": _text(),
        "loop": _text(("open", "closed")),
        "passes": _text(),
        "frames": _list(),
        "hedge_alpha": _list(),
        "hedge_beta": _list(),
        "task": _text(),
        "task_alpha": _parameter(),
        "task_beta": _parameter(),
    },
    "proposals": {
        "model": _text(),
        "sample": _count(),
        "item": _text(),
        "expression": _text(),
        "frame": _text(),
        "fault": _text(),
    },
    "hedges": {
        "expression": _text(unique=True),
        "source": _text(),
        "frame": _text(),
        "kind": _text(),
        "register": _text(),
        "polarity": _text(),
    },
    "sentences": {
        "expression": _text(),
        "sentence": _text(),
        "origin": _text(("model", "grammar", "template")),
    },
    "scores": {
        "expression": _text(),
        "sentence": _text(),
        "reader": _text(),
        "score": _number(0, 1),
        "variance": _number(0),
    },
    "lexicon": {
        "expression": _text(unique=True),
        "source": _text(),
        "frame": _text(),
        "alpha": _parameter(),
        "beta": _parameter(),
        "n": _count(1),
        "flags": _text(),
    },
    "candidates": {
        "task": _text(),
        "text": _text(),
        "origin": _text(ORIGINS),
        "hedge": _text(nullable=True),
    },
    "rewrites": {
        "task": _text(unique=True),
        "text": _text(),
        "origin": _text(ORIGINS),
    },
    "rewrite_grades": {
        "question_id": _text(),
        "task": _text(),
        "grade": _text(GRADES),
        "outcome": _outcome(),
    },
    "preservation": {
        "original": _text(),
        "rewrite": _text(),
        "content_preservation": _number(0, 1),
        "meaning_changed": _number(0, 1),
        "not_entailed": _number(0, 1, nullable=True),
        "p_entail": _number(0, 1, nullable=True),
        "p_neutral": _number(0, 1, nullable=True),
        "p_contradict": _number(0, 1, nullable=True),
    },
    "items": {
        **_CONDITION,
        "question_id": _text(),
        "group": _text(),
        "subject": _text(),
        "answerable": _flag(),
        "outcome": _outcome(),
        "grade": _text(GRADES),
        "alpha": _parameter(nullable=True),
        "beta": _parameter(nullable=True),
        "text": _text(nullable=True),
        "hedges": _list(),
        "origin": _text(ORIGINS),
        "content_preservation": _number(0, 1, nullable=True),
        "meaning_changed": _number(0, 1, nullable=True),
        "not_entailed": _number(0, 1, nullable=True),
        "p_entail": _number(0, 1, nullable=True),
        "p_neutral": _number(0, 1, nullable=True),
        "p_contradict": _number(0, 1, nullable=True),
    },
    "metrics": {
        **_CONDITION,
        "subset": _text(),
        "versus": _text((*METHODS, *COUNTERPARTS, "none")),
        "metric": _text(METRICS),
        "value": _number(nullable=True),
        "sd": _number(0, nullable=True),
        "ci_low": _number(nullable=True),
        "ci_high": _number(nullable=True),
        "p_value": _number(0, 1, nullable=True),
        "n": _count(),
    },
    "calls": {
        "stage": _text(),
        "model": _text(),
        "requests": _count(),
        "answers": _count(),
        "prompt_tokens": _count(),
        "completion_tokens": _count(),
        "reasoning_tokens": _count(),
        "cut": _count(),
        "second_attempts": _count(),
        "invalid": _count(),
        "errors": _count(),
        "cost": _number(0, nullable=True),
    },
    "maps": {
        "protocol": _text(),
        "target": _text(),
        "dataset": _text(),
        "signal": _text(SIGNALS),
        "variant": _text(),
        "map": _text(),
        "n": _count(1),
        "left_out": _count(),
        "slope": _number(nullable=True),
        "intercept": _number(nullable=True),
        "base_rate": _number(0, 1, nullable=True),
        "flags": _text(),
    },
    "graders": {
        "target": _text(),
        "dataset": _text(),
        "answers": _count(1),
        "agreement": _number(0, 1),
        "kappa": _number(-1, 1, nullable=True),
    },
    "human_benchmark": {
        "dataset": _text(),
        "reader": _text(),
        "metric": _text(READER_METRICS),
        "value": _number(),
        "ci_low": _number(nullable=True),
        "ci_high": _number(nullable=True),
        "p_value": _number(0, 1, nullable=True),
        "n": _count(),
        "measured": _text(("this run", "beforehand")),
    },
    "human_benchmark_points": {
        "dataset": _text(),
        "quantity": _text(("mean", "spread")),
        "reader": _text(),
        "item": _text(),
        "read": _number(0, 1),
        "human": _number(0, 1),
        "human_sd": _number(0, nullable=True),
        "n": _count(1),
    },
    "audiences": {
        "variable": _text(),
        "group": _text(),
        "versus": _text(),
        "phrase": _text(),
        "n": _count(2),
        "mean": _number(0, 1),
        "mean_versus": _number(0, 1),
        "difference": _number(-1, 1),
        "ci_low": _number(),
        "ci_high": _number(),
        "p_value": _number(0, 1),
        "p_holm": _number(0, 1),
    },
}


def check(frame: pd.DataFrame, table: str, columns: Collection[str] | None = None) -> pd.DataFrame:
    """Return `frame` with the columns of `table` (or only those among `columns`) first and their types made exact.

    Raises
    ------
    ValueError
        Naming the table, the column, the rule that is broken and the first offending row.
    """
    rules = {name: rule for name, rule in TABLES[table].items() if columns is None or name in columns}
    schema = pa.DataFrameSchema(rules)
    try:
        checked = schema.validate(frame)
    except (pa.errors.SchemaError, pa.errors.SchemaErrors) as error:
        raise ValueError(f"table {table!r}: {_first_fault(error)}") from None
    return checked[[*rules, *(column for column in checked.columns if column not in rules)]]


def _first_fault(error: pa.errors.SchemaError | pa.errors.SchemaErrors) -> str:
    """The first broken rule in words."""
    if isinstance(error, pa.errors.SchemaErrors):  # of values that are not of the type, gathered
        error = error.schema_errors[0]
    cases = getattr(error, "failure_cases", None)
    where = ""
    if isinstance(cases, pd.DataFrame) and len(cases) and "index" in cases:
        first = cases.iloc[0]
        where = f"; first at row {first['index']}: {first['failure_case']!r}"
    return str(error).splitlines()[0].rstrip(":") + where
