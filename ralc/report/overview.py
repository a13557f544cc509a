"""The overview page: the verdict, where RALC is better, who read, and what was run."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ralc.conditions import DEFAULT, MEAN, POOLED, having
from ralc.human_benchmark import load_committed
from ralc.registry import METRICS, PRIMARY_OPPONENTS
from ralc.report.contents import FIGURES
from ralc.report.examples import most_changed
from ralc.report.rendering import embedded, page
from ralc.report.tables.rows import FLAGS
from ralc.results import (
    evaluators_of,
    graded,
    in_domain,
    main_evaluator,
    main_maps,
    main_signal,
    main_target,
    plain,
    right_and_wrong,
)
from ralc.results.holm_families import TOO_FEW, endpoints
from ralc.results.labels import enumeration, in_order, label
from ralc.statistics import FEWEST

#: The evaluator that shares neither grammar nor figures with the packaged one that chooses the words.
_APART = "embedding_regression"


def overview(
    results: Mapping[str, pd.DataFrame],
    questions: pd.DataFrame,
    figures: Sequence[str | Path],
    provenance: Sequence[tuple[str, str]] = (),
    links: Mapping[str, str] | None = None,
) -> str:
    """Return a self-contained HTML page that opens on the verdict of a run.

    Parameters
    ----------
    results
        The tables ``metrics``, ``averages``, ``items`` and ``maps``.
    questions
        The questions tables of all datasets as one.
    figures
        SVG files of the report's contents; the first stands beside the verdict.
    provenance
        What a reader needs to repeat the run (`ralc.report.record`).
    links
        Other pages in its folder, by what they are called.
    """
    metrics = results["metrics"]
    maps = main_maps(results["maps"])
    lost = plain(metrics, space="linguistic").query("method == 'original' and metric == 'unanswered_rate'")
    lost = lost[lost["target"] != MEAN]
    sizes = graded(having(metrics[metrics["target"] != MEAN], subset="all"))
    return page(
        "overview.html.j2",
        title="Do the words match the certainty?",
        **opening(metrics, results["averages"]),
        pair=most_changed(results["items"], questions),
        evaluators=_evaluators(metrics),
        datasets=in_order(metrics["dataset"]),
        sizes=sizes.groupby("dataset")["n"].max(),
        unanswered=round((lost["value"] * lost["n"]).sum()),
        flags=_flags(maps),
        maps=len(maps),
        links=links,
        run=provenance,
        figures=[
            (FIGURES[Path(path).stem], embedded(Path(path).read_text(encoding="utf-8"))) for path in figures
        ],
    )


def verdict(metrics: pd.DataFrame, averages: pd.DataFrame, figure: str | Path | None = None) -> str:
    """Return a fragment of HTML for where the report opens: the verdict, and a figure beside it.

    Parameters
    ----------
    metrics, averages
        The run's metrics, and its means over datasets and signals.
    figure
        An SVG file; none without it.
    """
    image = None if figure is None else embedded(Path(figure).read_text(encoding="utf-8"))
    return page("verdict.html.j2", image=image, **opening(metrics, averages))


def opening(metrics: pd.DataFrame, averages: pd.DataFrame) -> dict[str, Any]:
    """Return what the first screen says: the verdict, in `words` and as `endpoints`, who read, and how many answers.

    ``answers`` are right and wrong ones, ``tests`` how many p-values were corrected together. ``others`` are the
    evaluators beside the headline's, ``pooled`` the number of datasets and of models. ``lost`` is by how much the
    words' Brier score exceeds the calibrated number's, by evaluator. ``beside`` are the Brier scores' differences on
    each dataset, by the evaluator that shares nothing with the one that chose the words.
    """
    evaluator = main_evaluator(metrics)
    answers = right_and_wrong(metrics)
    rows = endpoints(averages, evaluator, answers)
    ours = in_domain(having(metrics, variant=DEFAULT, subset="all"))
    ours = having(ours, method="ralc", signal=main_signal(metrics), space="linguistic")
    brier = having(ours, metric="brier_score", target=main_target(metrics))
    lost = having(brier, versus="signal").groupby("evaluator", sort=False)["value"].mean()
    if len(set(brier["dataset"])) == 1:  # the pooled answers are these, and have one interval
        pooled = having(averages, dataset=POOLED, metric="brier_score")
        brier = pooled.assign(dataset=brier["dataset"].iloc[0])
    beside = having(brier, evaluator=_APART, versus=PRIMARY_OPPONENTS)
    return {
        "words": in_words(rows, answers),
        "endpoints": rows.to_dict("records"),
        "tests": int(rows["p_value"].notna().sum()),
        "answers": answers,
        "others": [name for name in evaluators_of(metrics) if name != evaluator],
        "evaluator": evaluator,
        "apart": _APART,
        "signal": main_signal(metrics),
        "n": int(rows["n"].max()) if len(rows) else 0,
        "pooled": (metrics["dataset"].nunique(), len(set(metrics["target"]) - {MEAN})),
        "lost": {name: lost[name] for name in evaluators_of(metrics) if name in lost},
        "beside": {name: part.to_dict("records") for name, part in beside.groupby("dataset", sort=False)},
        "opponents": PRIMARY_OPPONENTS,
    }


def in_words(rows: pd.DataFrame, answers: tuple[int, int]) -> str:
    """Return the verdict as sentences, from the rows of `endpoints` and how many answers are right and wrong.

    >>> names = {"versus": ["original", "constant_hedge"], "metric": ["brier_score", "auroc"]}
    >>> in_words(pd.DataFrame(names | {"side": ["better", "too few"]}), (6, 36))
    'RALC is better than the original answer in Brier score. AUROC is not judged: 6 of 42 answers are right.'
    >>> in_words(pd.DataFrame(names | {"side": ["better", "better"]}), (20, 36))
    'RALC is better than the original answer in Brier score, and than the constant hedge in AUROC.'
    >>> in_words(pd.DataFrame(names | {"side": ["too few", "too few"]}), (5, 7))
    'Brier score and AUROC are not judged: 12 answers are too few.'
    """
    verbs = {
        "better": ("RALC is better", "than"),
        "worse": ("RALC is worse", "than"),
        "not shown": ("Not shown is a difference", "from"),
    }
    sentences = []
    for side, (verb, against) in verbs.items():
        by_opponent = having(rows, side=side).groupby("versus", sort=False)["metric"].agg(tuple)
        by_metrics = by_opponent.index.to_series().groupby(by_opponent, sort=False).agg(list)
        parts = [
            f"{against} {enumeration([f'the {label(one).lower()}' for one in names])} in {_metrics(found)}"
            for found, names in by_metrics.items()
        ]
        sentences += [f"{verb} {', and '.join(parts)}."] if parts else []
    if few := list(dict.fromkeys(rows.loc[rows["side"] == TOO_FEW, "metric"])):
        right, wrong = answers
        kind, count = ("right", right) if right <= wrong else ("wrong", wrong)
        why = f"{count:,} of {right + wrong:,} answers are {kind}"
        if right + wrong < FEWEST:
            why = f"{right + wrong} answers are too few"
        sentences.append(f"{_metrics(few)} {'is' if len(few) == 1 else 'are'} not judged: {why}.")
    return " ".join(sentences)


def _metrics(names: Sequence[str]) -> str:
    """Metrics as words of a sentence."""
    return enumeration(
        [METRICS[name].title.removesuffix(" of means").replace("Brier", "Brier score") for name in names]
    )


def _flags(maps: pd.DataFrame) -> dict[str, int]:
    """How many maps have each flag, by what it means."""
    counts = maps["flags"].str.split(", ").explode().value_counts(sort=False)
    return {said: int(counts[flag]) for flag, said in FLAGS.items() if flag in counts}


def _evaluators(metrics: pd.DataFrame) -> list[tuple[str, str, list[float]]]:
    """Each evaluator, its part in the run, and its numbers.

    They are the correlation of its errors on human scores with the loop's, and its reliability. Spearman's rho of meant
    and read confidence on each dataset follows.
    """
    headline = main_evaluator(metrics)
    measured = load_committed("checks")
    cards = []
    for place, name in enumerate(evaluators_of(metrics)):
        part = "chooses the words" if place == 0 else "only tests"
        rows = in_domain(plain(metrics, space="linguistic", evaluator=name, target=main_target(metrics)))
        rows = having(rows, method="ralc", signal=main_signal(metrics), metric="spearman_mean")
        rho = rows.set_index("dataset")["value"].reindex(in_order(metrics["dataset"]))
        checks = having(measured, evaluator=name).set_index("metric")["value"]
        numbers = [checks.get(key, np.nan) for key in ("error_correlation", "reliability")]
        cards.append((name, f"{part}, headline" if name == headline else part, [*numbers, *rho]))
    return cards
