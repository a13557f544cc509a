"""The overview page: the verdict, where RALC is better, who read, and what was run."""

import base64
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ralc.conditions import MEAN
from ralc.report.contents import FIGURES
from ralc.report.examples import most_changed
from ralc.report.rendering import page
from ralc.results.filters import (
    evaluators_of,
    graded,
    in_domain,
    main_evaluator,
    main_signal,
    main_target,
    plain,
    validity,
)
from ralc.results.holm_families import endpoints
from ralc.results.labels import in_order


def overview(
    results: Mapping[str, pd.DataFrame],
    questions: pd.DataFrame,
    figures: Sequence[str | Path],
    provenance: Sequence[tuple[str, str]] = (),
) -> str:
    """Return a self-contained HTML page that opens on the verdict of a run.

    `results` are ``metrics``, ``averages``, ``items`` and ``maps``. `figures` are SVG files of the report's contents:
    the first stands beside the verdict. `provenance` is what a reader needs to repeat the run (`ralc.report.record`).
    """
    metrics, maps, shown = results["metrics"], results["maps"], []
    for path in map(Path, figures):
        image = f"data:image/svg+xml;base64,{base64.b64encode(path.read_bytes()).decode()}"
        shown.append((FIGURES[path.stem], image))
    lost = plain(metrics, space="linguistic").query("method == 'original' and metric == 'unanswered_rate'")
    lost = lost[lost["target"] != MEAN]
    sizes = graded(metrics[(metrics["target"] != MEAN) & (metrics["subset"] == "all")])
    return page(
        "overview.html.j2",
        title="Do the words match the certainty?",
        **opening(metrics, results["averages"]),
        pair=most_changed(results["items"], questions),
        evaluators=_evaluators(metrics),
        datasets=in_order(metrics["dataset"]),
        sizes=sizes.groupby("dataset")["n"].max(),
        unanswered=round((lost["value"] * lost["n"]).sum()),
        flagged=int((maps["flags"] != "").sum()),
        maps=len(maps),
        run=provenance,
        figures=shown,
    )


def verdict(metrics: pd.DataFrame, averages: pd.DataFrame) -> str:
    """Return a fragment of HTML for where the report opens: the table of the verdict."""
    return page("verdict_table.html.j2", **opening(metrics, averages))


def opening(metrics: pd.DataFrame, averages: pd.DataFrame) -> dict[str, Any]:
    """Return what the first screen says: the `endpoints` as rows, who read, and how many answers.

    ``others`` are the evaluators beside the headline's, ``pooled`` the number of datasets and of models.
    """
    evaluator = main_evaluator(metrics)
    rows = endpoints(averages, evaluator)
    return {
        "endpoints": rows.to_dict("records"),
        "others": [name for name in evaluators_of(metrics) if name != evaluator],
        "evaluator": evaluator,
        "signal": main_signal(metrics),
        "n": int(rows["n"].max()) if len(rows) else 0,
        "pooled": (metrics["dataset"].nunique(), len(set(metrics["target"]) - {MEAN})),
    }


def _evaluators(metrics: pd.DataFrame) -> list[tuple[str, str, list[float]]]:
    """Each evaluator, its part in the run, and its numbers.

    They are the correlation of its errors on human scores with the loop's, and its reliability. Spearman's rho of meant
    and read confidence on each dataset follows.
    """
    headline, cards = main_evaluator(metrics), []
    for place, name in enumerate(evaluators_of(metrics)):
        part = "chooses the words" if place == 0 else "only tests"
        rows = in_domain(plain(metrics, space="linguistic", evaluator=name, target=main_target(metrics)))
        rows = rows[(rows["method"] == "ralc") & (rows["signal"] == main_signal(metrics))]
        rho = rows[rows["metric"] == "spearman_mean"].set_index("dataset")["value"]
        numbers = [validity(name).get(key, np.nan) for key in ("error_correlation", "reliability")]
        numbers += rho.reindex(in_order(metrics["dataset"])).tolist()
        cards.append((name, f"{part}, headline" if name == headline else part, numbers))
    return cards
