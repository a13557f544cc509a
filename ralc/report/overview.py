"""The overview page: the verdict, where RALC is better, who read, and what was run."""

import base64
import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ralc.conditions import MEAN, NONE, UNIT
from ralc.registry import CORRECT, INCORRECT, METHODS
from ralc.report.figures import draw
from ralc.report.rendering import ARROW, page
from ralc.results.filters import (
    evaluators_of,
    graded,
    in_domain,
    main_evaluator,
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

    `results` are ``metrics``, ``averages``, ``items`` and ``maps``. `provenance` is what a reader needs to repeat the
    run (`ralc.report.record`).

    Raises
    ------
    ValueError
        If nothing was rewritten.
    """
    metrics, maps, figures = results["metrics"], results["maps"], []
    for name, caption in DRAWN.items():
        image = io.BytesIO()
        draw(name, results).savefig(image, format="png", dpi=130)
        encoded = base64.b64encode(image.getvalue()).decode("ascii")
        figures.append((caption, f"data:image/png;base64,{encoded}"))
    sizes = graded(metrics[(metrics["target"] != MEAN) & (metrics["subset"] == "all")])
    return page(
        "overview.html.j2",
        title="Do the words match the certainty?",
        **opening(metrics, results["averages"]),
        pair=most_changed(results["items"], questions),
        evaluators=_evaluators(metrics),
        datasets=[label(name) for name in in_order(metrics["dataset"])],
        fewest=sizes.groupby("dataset")["n"].max(),
        unanswered=_unanswered(metrics),
        flagged=int((maps["flags"] != "").sum()),
        maps=len(maps),
        run=[*_what_was_run(metrics), *provenance],
        figures=figures,
    )


def verdict(metrics: pd.DataFrame, averages: pd.DataFrame) -> str:
    """Return a fragment of HTML for where the report opens: the table of the verdict."""
    return page("verdict.html.j2", **opening(metrics, averages))


def opening(metrics: pd.DataFrame, averages: pd.DataFrame) -> dict[str, Any]:
    """Return what the first screen says: four endpoints, who read, how many answers, and whose signs differ.

    ``endpoints`` are opponent, metric, difference, interval, p and side, each as text. ``turned`` names the endpoints
    whose sign is the other way round by another evaluator. ``pooled`` is the number of datasets and of models.
    """
    evaluator, shown, turned = main_evaluator(metrics), [], []
    rows = endpoints(averages, evaluator)
    for row in rows.itertuples():
        quantity, opponent, p = QUANTITIES[row.metric], METHODS[row.versus].title, row.p_value
        interval = ", ".join(number(end, row.metric) for end in (row.ci_low, row.ci_high))
        shown.append(
            {
                "versus": opponent,
                "metric": f"{quantity.title} {ARROW[quantity.better]}",
                "difference": ("+" if row.value > 0 else "") + number(row.value, row.metric),
                "interval": f"[{interval}]",
                "p": "–" if np.isnan(p) else "< 0.001" if p < 0.001 else f"= {p:.3f}",
                "side": row.side,
            }
        )
        if row.turned:
            by = listed(list(map(label, row.turned)))
            turned.append(f"{quantity.title} against {opponent.lower()}, by {by}")
    targets = metrics.loc[metrics["target"] != MEAN, "target"]
    return {
        "endpoints": shown,
        "turned": turned,
        "others": listed([label(name) for name in evaluators_of(metrics) if name != evaluator]),
        "evaluator": label(evaluator),
        "signal": label(main_signal(metrics)).lower(),
        "n": int(rows["n"].max()) if len(rows) else 0,
        "pooled": (metrics["dataset"].nunique(), targets.nunique()),
    }


def most_changed(items: pd.DataFrame, questions: pd.DataFrame) -> dict[str, str] | None:
    """Return the right or wrong answer whose reading RALC changed most, as text; None where none was rewritten."""
    rows = in_domain(plain(items))
    rows = rows[rows["signal"].isin([main_signal(items), NONE]) & rows["alpha"].notna()]
    rows = rows.assign(mean=rows["alpha"] / (rows["alpha"] + rows["beta"]))
    rows = rows.set_index(["target", "dataset", *UNIT])
    read, meant = (rows[rows["space"] == space] for space in ("linguistic", "signal"))
    before, after = (read[read["method"] == method] for method in ("original", "ralc"))
    both = before[["text", "mean"]].join(after[["text", "mean", "grade"]].add_suffix("_after"), how="inner")
    both = both[(both["text"] != both["text_after"]) & both["grade_after"].isin([CORRECT, INCORRECT])]
    if both.empty:
        return None
    most = both.loc[(both["mean"] - both["mean_after"]).abs().sort_values(kind="stable").index[-1]]
    calibrated = meant.loc[meant["method"] == "ralc", "mean"][most.name]
    shares = {"read_before": most["mean"], "read_after": most["mean_after"], "meant": calibrated}
    return {
        "question": questions.set_index("question_id")["question"][most.name[2]],
        "before": most["text"],
        "after": most["text_after"],
        "grade": label(most["grade_after"]).lower().replace("_", " "),
    } | {name: f"{100 * share:.0f} %" for name, share in shares.items()}


def _evaluators(metrics: pd.DataFrame) -> list[tuple[str, str, list[str]]]:
    """Each evaluator with its part in the run, and its numbers as text.

    They are the correlation of its errors on human scores with the loop's, its reliability, and Spearman's rho of meant
    and read confidence on each dataset.
    """
    headline, cards = main_evaluator(metrics), []
    for place, name in enumerate(evaluators_of(metrics)):
        part = "in the loop" if place == 0 else "apart from the loop"
        rows = in_domain(plain(metrics, space="linguistic", evaluator=name, target=main_target(metrics)))
        rows = rows[(rows["method"] == "ralc") & (rows["signal"] == main_signal(metrics))]
        rho = rows[rows["metric"] == "spearman_mean"].set_index("dataset")["value"]
        numbers = [validity(name).get(key, np.nan) for key in ("error_correlation", "reliability")]
        numbers += [rho.get(dataset, np.nan) for dataset in in_order(metrics["dataset"])]
        texts = ["–" if np.isnan(value) else f"{value:.2f}" for value in numbers]
        cards.append((label(name), f"{part}, headline" if name == headline else part, texts))
    return cards


def _unanswered(metrics: pd.DataFrame) -> list[str]:
    """How many held-out questions were never answered, by model and dataset, as text."""
    rows = plain(metrics, space="linguistic")
    rows = rows[(rows["metric"] == "unanswered_rate") & (rows["method"] == "original") & (rows["value"] > 0)]
    return [
        f"{round(row.value * row.n)} of {row.n} ({label(row.dataset)}, {row.target})"
        for row in rows[rows["target"] != MEAN].itertuples()
    ]


def _what_was_run(metrics: pd.DataFrame) -> list[tuple[str, str]]:
    """Facts of the run, by name."""
    rows = plain(metrics)
    rows = rows[rows["target"] != MEAN]
    sizes = rows[rows["space"] == "linguistic"].groupby("dataset", sort=False)["n"].max()
    facts = {
        "Models": in_order(rows["target"]),
        "Questions": [f"{label(dataset)} ({n} held out)" for dataset, n in sizes.items()],
        "Signals": map(label, signals_in(rows)),
        "Methods": map(label, in_order(rows["method"], METHODS)),
    }
    return [(name, ", ".join(texts)) for name, texts in facts.items()]
