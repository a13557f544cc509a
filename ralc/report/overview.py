"""The overview page: the verdict, where RALC is better, who read, and what was run."""

import base64
import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from ralc.conditions import MEAN, NONE, UNIT
from ralc.registry import CORRECT, INCORRECT, METHODS
from ralc.report.figures import draw
from ralc.report.pages import page
from ralc.results.filters import (
    evaluators_of,
    graded,
    in_domain,
    main_evaluator,
    main_protocol,
    main_signal,
    main_target,
    plain,
    signals_in,
    validity,
)
from ralc.results.holm_families import endpoints
from ralc.results.labels import QUANTITIES, in_order, label, listed, number

#: Figures of the page: the first stands beside the verdict.
DRAWN = {"grid": "Where RALC is better", "prepost": "Before and after RALC"}


def overview(
    results: Mapping[str, pd.DataFrame],
    questions: pd.DataFrame,
    provenance: Sequence[tuple[str, str]] = (),
) -> str:
    """Return a self-contained HTML page that opens on the verdict of a run.

    Parameters
    ----------
    results
        ``metrics``, ``averages``, ``items`` and ``maps``.
    questions
        The questions table.
    provenance
        What a reader needs to repeat the run (`ralc.report.record`).

    Raises
    ------
    ValueError
        If nothing was rewritten.
    """
    metrics = results["metrics"]
    maps = results["maps"]
    return page(
        "overview.html.j2",
        title="Do the words match the certainty?",
        **opening(metrics, results["averages"]),
        pair=most_changed(results["items"], questions),
        evaluators=_evaluators(metrics),
        datasets=[label(name) for name in in_order(metrics["dataset"])],
        fewest=graded(metrics[metrics["target"] != MEAN])
        .query("subset == 'all'")
        .groupby("dataset")["n"]
        .max(),
        unanswered=_unanswered(metrics),
        flagged=int((maps["flags"] != "").sum()),
        maps=len(maps),
        run=[*_what_was_run(metrics), *provenance],
        figures=[(caption, _data_uri(draw(name, results))) for name, caption in DRAWN.items()],
    )


def verdict(metrics: pd.DataFrame, averages: pd.DataFrame) -> str:
    """Return a fragment of HTML for where the report opens: the table of the verdict."""
    return page("verdict.html.j2", **opening(metrics, averages))


def opening(metrics: pd.DataFrame, averages: pd.DataFrame) -> dict[str, Any]:
    """Return what the first screen says: four endpoints, who read, how many answers, and whose signs differ.

    Returns
    -------
    dict
        ``endpoints`` (opponent, metric, difference, interval, p, side, each as text), ``turned`` (the endpoints whose
        sign is the other way round by another evaluator, as text), ``others``, ``evaluator``, ``signal``, ``n``,
        ``pooled`` (numbers of datasets and models).
    """
    evaluator, signal = main_evaluator(metrics), main_signal(metrics)
    rows = endpoints(averages, evaluator)
    targets = metrics.loc[metrics["target"] != MEAN, "target"].nunique()
    return {
        "endpoints": [_endpoint(row) for row in rows.itertuples()],
        "turned": [
            f"{QUANTITIES[row.metric].title} against {METHODS[row.versus].title.lower()}, by "
            f"{listed(list(map(label, row.turned)))}"
            for row in rows.itertuples()
            if row.turned
        ],
        "others": listed([label(name) for name in evaluators_of(metrics) if name != evaluator]),
        "evaluator": label(evaluator),
        "signal": label(signal).lower(),
        "n": int(rows["n"].max()) if len(rows) else 0,
        "pooled": (metrics["dataset"].nunique(), targets),
    }


def _endpoint(row: Any) -> dict[str, str]:
    """One primary endpoint as text."""
    shown = QUANTITIES[row.metric]
    sign = "+" if row.value > 0 else ""
    ends = [number(end, row.metric) for end in (row.ci_low, row.ci_high)]
    p = "–" if np.isnan(row.p_value) else "< 0.001" if row.p_value < 0.001 else f"= {row.p_value:.3f}"
    return {
        "versus": METHODS[row.versus].title,
        "metric": f"{shown.title} {'↓' if shown.better == 'lower' else '↑'}",
        "difference": sign + number(row.value, row.metric),
        "interval": f"[{', '.join(ends)}]",
        "p": p,
        "side": row.side,
    }


def most_changed(items: pd.DataFrame, questions: pd.DataFrame) -> dict[str, str] | None:
    """Return the right or wrong answer whose reading RALC changed most; None where none was rewritten.

    Returns
    -------
    dict
        ``question``, its answer ``before`` and ``after``, how sure each was read (``read_before, read_after``), the
        calibrated confidence ``meant``, in percent, and the ``grade`` in words.
    """
    rows = in_domain(items[(items["variant"] == "default") & (items["protocol"] == main_protocol(items))])
    signal, unit = main_signal(rows), ["target", "dataset", *UNIT]
    rows = rows[rows["signal"].isin([signal, NONE]) & rows["alpha"].notna()]
    rows = rows.assign(mean=rows["alpha"] / (rows["alpha"] + rows["beta"])).set_index(unit)
    read = rows[(rows["space"] == "linguistic") & (rows["evaluator"] == main_evaluator(items))]
    before, after = read[read["method"] == "original"], read[read["method"] == "ralc"]
    both = before[["text", "mean"]].join(after[["text", "mean", "grade"]].add_suffix("_after"), how="inner")
    both = both[(both["text"] != both["text_after"]) & both["grade_after"].isin([CORRECT, INCORRECT])]
    if both.empty:
        return None
    most = both.loc[(both["mean"] - both["mean_after"]).abs().sort_values(kind="stable").index[-1]]
    meant = rows[(rows["space"] == "signal") & (rows["method"] == "ralc")]["mean"]
    shares = {"read_before": most["mean"], "read_after": most["mean_after"], "meant": meant[most.name]}
    return {
        "question": questions.set_index("question_id")["question"][most.name[2]],
        "before": most["text"],
        "after": most["text_after"],
        "grade": label(most["grade_after"]).lower().replace("_", " "),
    } | {name: f"{100 * share:.0f} %" for name, share in shares.items()}


def _evaluators(metrics: pd.DataFrame) -> list[tuple[str, str, list[str]]]:
    """Return each evaluator with its part in the run, and its numbers as text.

    The numbers are the correlation of its errors on human scores with the loop's, its reliability, and Spearman's rho
    of meant and read confidence on each dataset.
    """
    names = evaluators_of(metrics)
    headline, signal, target = main_evaluator(metrics), main_signal(metrics), main_target(metrics)
    cards = []
    for place, name in enumerate(names):
        part = "in the loop" if place == 0 else "apart from the loop"
        rows = in_domain(plain(metrics, space="linguistic", evaluator=name, target=target))
        rows = rows[(rows["method"] == "ralc") & (rows["signal"] == signal)]
        rho = rows[rows["metric"] == "spearman_mean"].set_index("dataset")["value"]
        numbers = [validity(name).get(key, np.nan) for key in ("error_correlation", "reliability")]
        numbers += [rho.get(dataset, np.nan) for dataset in in_order(metrics["dataset"])]
        texts = ["–" if np.isnan(value) else f"{value:.2f}" for value in numbers]
        cards.append((label(name), f"{part}, headline" if name == headline else part, texts))
    return cards


def _unanswered(metrics: pd.DataFrame) -> list[str]:
    """Return how many held-out questions were never answered, by model and dataset, as text."""
    rows = plain(metrics, space="linguistic")
    rows = rows[(rows["metric"] == "unanswered_rate") & (rows["method"] == "original") & (rows["value"] > 0)]
    return [
        f"{round(row.value * row.n)} of {row.n} ({label(row.dataset)}, {row.target})"
        for row in rows[rows["target"] != MEAN].itertuples()
    ]


def _what_was_run(metrics: pd.DataFrame) -> list[tuple[str, str]]:
    """Return facts of the run, by name."""
    rows = plain(metrics)
    asked = rows[(rows["space"] == "linguistic") & (rows["target"] != MEAN)]
    sizes = asked.groupby("dataset", sort=False)["n"].max()
    questions = ", ".join(f"{label(dataset)} ({n} held out)" for dataset, n in sizes.items())
    return [
        ("Models", ", ".join(name for name in in_order(rows["target"]) if name != MEAN)),
        ("Questions", questions),
        ("Signals", ", ".join(map(label, signals_in(rows)))),
        ("Methods", ", ".join(map(label, in_order(rows["method"], METHODS)))),
    ]


def _data_uri(figure: Figure) -> str:
    """Return a figure as an image inside the page."""
    image = io.BytesIO()
    figure.savefig(image, format="png", dpi=130)
    return "data:image/png;base64," + base64.b64encode(image.getvalue()).decode("ascii")
