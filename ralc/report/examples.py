"""The page of example answers: each in a few lines, before and after, with everything else folded."""

from collections.abc import Iterable
from itertools import product
from string import ascii_uppercase
from typing import Any

import numpy as np
import pandas as pd
from markupsafe import Markup

from ralc.conditions import DEFAULT, NONE, UNIT, having
from ralc.registry import CORRECT, INCORRECT, PARTLY
from ralc.report.rendering import page
from ralc.results import evaluators_of, in_domain, main_evaluator, main_protocol, main_signal, means
from ralc.results.labels import label

#: What names an answer.
ANSWER_KEY = ["target", "dataset", "question_id"]
UNANSWERABLE = "The background does not contain the answer."
#: Shades of a long answer's sentences, from doubtful (orange) to sure (blue).
SHADES = 5


def examples(items: pd.DataFrame, questions: pd.DataFrame, *, count: int = 20) -> str:
    """Return a self-contained HTML page of answers before and after RALC, from the items and questions tables.

    Each dataset and model has the same number of them as far as it goes, spread evenly over calibrated confidence.

    Parameters
    ----------
    items, questions
        The run's items, and the questions tables of all datasets as one.
    count
        Answers that are shown, at least 1.

    Raises
    ------
    ValueError
        If nothing was rewritten.
    """
    rows = _guided(items)
    cards = _cards(rows, questions, _spread(having(rows, method="ralc"), count), main_evaluator(items))
    return page(
        "examples.html.j2",
        title=f"{len(cards)} answers before and after RALC",
        signal=label(main_signal(items)).lower(),
        evaluator=label(main_evaluator(items)),
        cards=cards,
        shades=[f"{100 * at // SHADES}–{100 * (at + 1) // SHADES} %" for at in range(SHADES)],
    )


def most_changed(items: pd.DataFrame, questions: pd.DataFrame) -> dict[str, Any] | None:
    """Return the card of the short answer, right or wrong, whose reading RALC changed most; None where none changed."""
    rows = _guided(items)
    evaluator = main_evaluator(items)
    read = having(rows[rows["parent_answer"].isna()], evaluator=evaluator).set_index(ANSWER_KEY)
    read = read.assign(mean=means(read))
    before, after = (having(read, method=method) for method in ("original", "ralc"))
    both = before[["text", "mean"]].join(after[["text", "mean", "grade"]], rsuffix="_after", how="inner")
    both = having(both[both["text"] != both["text_after"]], grade=[CORRECT, INCORRECT])
    change = (both["mean"] - both["mean_after"]).abs().dropna().sort_values(kind="stable")
    if change.empty:
        return None
    (card,) = _cards(rows, questions, change.index[-1:].to_frame(index=False), evaluator)
    return card


def _guided(items: pd.DataFrame) -> pd.DataFrame:
    """Items of the default variant by maps of their own dataset that the main signal guides, or no signal."""
    rows = in_domain(having(items, variant=DEFAULT, protocol=main_protocol(items)))
    return having(rows, signal=[main_signal(items), NONE])


def _spread(rewritten: pd.DataFrame, count: int) -> pd.DataFrame:
    """Names of answers at even steps of their calibrated mean, within each model and dataset.

    Of a long answer it is the mean over its sentences.
    """
    signal = having(rewritten[rewritten["alpha"].notna()], space="signal")
    texts = having(rewritten[rewritten["text"].notna()], space="linguistic")
    signal = signal.merge(texts[ANSWER_KEY].drop_duplicates(), on=ANSWER_KEY)
    if signal.empty:
        raise ValueError("items: no rewritten answer of method 'ralc' to show")
    signal["mean"] = means(signal)
    signal["mean"] = signal.groupby(ANSWER_KEY, observed=True)["mean"].transform("mean")
    signal = signal.drop_duplicates(ANSWER_KEY).sort_values(["mean", *UNIT], ascending=[False, True, True])
    groups = [group for _, group in signal.groupby(["target", "dataset"], sort=False)]
    parts = []
    for place, group in enumerate(groups):
        share = min(len(range(place, count, len(groups))), len(group))  # groups take turns
        parts.append(group.iloc[np.unique(np.linspace(0, len(group) - 1, share).round().astype(int))])
    return pd.concat(parts)[ANSWER_KEY]


def _cards(
    rows: pd.DataFrame, questions: pd.DataFrame, chosen: pd.DataFrame, evaluator: str
) -> list[dict[str, Any]]:
    """What is shown of each chosen answer."""
    by_id = questions.drop_duplicates("question_id").set_index("question_id")
    about = dict(list(rows.merge(chosen, on=ANSWER_KEY).groupby(ANSWER_KEY, observed=True)))
    return [
        _card(about[key], by_id.loc[key[-1]], evaluator) for key in chosen.itertuples(index=False, name=None)
    ]


def _card(rows: pd.DataFrame, question: pd.Series, evaluator: str) -> dict[str, Any]:
    """What the page shows of one answer: its text before and after, and a table of its sentences."""
    words, numbers = (
        [having(rows, space=space, method=method) for method in ("original", "ralc")]
        for space in ("linguistic", "signal")
    )
    before, after = (of.drop_duplicates("sentence").set_index("sentence").sort_index() for of in words)
    columns = {"right": before["outcome"].astype(float)}
    columns |= {"signal": _means(numbers[0]), "calibrated": _means(numbers[1])}
    for name, (of, when) in product(evaluators_of(rows), zip(words, ("before", "after"), strict=True)):
        columns[f"{label(name)}, {when}"] = _means(having(of, evaluator=name))
    table = pd.DataFrame(columns).reindex(before.index)
    read = [_means(having(of, evaluator=evaluator)) for of in words]
    choices = [f"{ascii_uppercase[i % 26]}. {choice}" for i, choice in enumerate(_list(question["choices"]))]
    truth = _list(question["accepted"]) if question["answerable"] else [UNANSWERABLE]
    grade = after["grade"].iloc[0]
    right = table["right"]
    if choices:
        truth = [choices[int(question["correct_choice"])]]
    elif before["parent_answer"].notna().all():
        truth = [f"{_percent(right)} of what a sentence says is right, on average"]
        grade = {1: CORRECT, 0: INCORRECT}.get(right.mean(), PARTLY) if right.notna().any() else grade
    table.index = range(1, len(table) + 1)
    return {
        "question": question["question"],
        "context": None if pd.isna(question["context"]) else question["context"],
        "choices": choices,
        "truth": truth,
        "grade": grade,
        "dataset": label(after["dataset"].iloc[0]),
        "model": label(after["target"].iloc[0]),
        "before": _spans(before, _means(numbers[1])),
        "after": _spans(after, read[1]),
        "read": [_percent(shares) for shares in read],
        "meant": _percent(table["calibrated"]),
        "origin": after["origin"].iloc[0],
        "long": len(before) > 1,
        "sentences": Markup(
            table.to_html(float_format="{:.0%}".format, na_rep="–", classes="numbers", border=0)
        ),
    }


def _spans(sentences: pd.DataFrame, means: pd.Series) -> list[dict[str, Any]]:
    """A text cut at its sentences, each with the shade of its mean; one of a single sentence has no shade."""
    texts = sentences["text"].fillna("")
    whole = sentences["parent_answer"].iloc[0]
    if pd.isna(whole):
        whole = " ".join(texts) or "(no answer)"
    return shaded(whole, texts, means.reindex(texts.index)) if len(texts) > 1 else [{"text": whole}]


def shaded(text: str, sentences: Iterable[str], means: Iterable[float]) -> list[dict[str, Any]]:
    """Return a text cut at its sentences, each with its mean in percent and its shade; what is between has none.

    Parameters
    ----------
    text
        The whole text.
    sentences
        Parts of it, in their order; one that is empty or does not stand in it is passed over.
    means
        The mean of each, in [0, 1]; NaN for one that was not read.

    Examples
    --------
    >>> [(span["text"], span.get("percent")) for span in shaded("Yes. It is Rome.", ["It is Rome."], [0.62])]
    [('Yes. ', None), ('It is Rome.', 62)]
    """
    parts = []
    at = 0
    for sentence, mean in zip(sentences, means, strict=True):
        start = text.find(sentence, at)
        if not sentence or start < 0 or np.isnan(mean):
            continue
        shade = min(int(mean * SHADES), SHADES - 1)
        parts += [{"text": text[at:start]}, {"text": sentence, "percent": round(100 * mean), "shade": shade}]
        at = start + len(sentence)
    return [span for span in [*parts, {"text": text[at:]}] if span["text"]]


def _means(rows: pd.DataFrame) -> pd.Series:
    """The mean confidence of each sentence, by the first row of it; NaN where it is not read."""
    read = rows.drop_duplicates("sentence").set_index("sentence")[["alpha", "beta"]].astype("float64")
    return means(read)


def _percent(shares: pd.Series) -> str:
    """The mean of some shares as text; a dash for none."""
    mean = shares.astype("float64").mean()
    return "–" if pd.isna(mean) else f"{100 * mean:.0f} %"


def _list(values: Iterable[str] | None) -> list[str]:
    """A list column's cell; parquet gives arrays, and null for an empty one."""
    empty = values is None or (np.isscalar(values) and pd.isna(values))
    return [] if empty else [str(value) for value in values]
