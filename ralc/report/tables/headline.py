"""The headline table and the paired comparisons behind its claims (paper figure 3 and detailed table)."""

import pandas as pd

from ralc.conditions import ASKED as PHRASES
from ralc.conditions import MEAN, PEOPLE
from ralc.names import ASKED, METHODS
from ralc.results import families
from ralc.results.labels import label, listed
from ralc.results.select import differences, in_domain, main_reader, plain, readers_of, widen
from ralc.results.worth import worth

HEADLINE = [
    "faithfulness_divergence",
    "faithfulness_divergence_mean_part",
    "faithfulness_divergence_concentration_part",
    "generalised_ece",
    "generalised_ece_debiased",
    "generalised_ece_null",
    "generalised_ece_excess",
    "expected_calibration_error",
    "expected_calibration_error_debiased",
    "brier_score",
    "auroc",
    "spearman_mean",
    "content_preservation",
]
PARTS = HEADLINE[1:3]
APART = ["target", "dataset", "subset", "method", "signal"]
ABSTENTIONS = (
    "Answered: something is named. Abstained: the answer says that it does not know, or that the background does not "
    "say (right where a question cannot be answered)."
)

CEILING = (
    "People's own numbers: a ceiling, and in no verdict. They are of other words of RALC's, from the phrases alone "
    "that these people were asked about, and by these very numbers the phrases were chosen."
)
UNTESTED = f"{ABSTENTIONS} Apart they have intervals, and no test."


def headline(metrics: pd.DataFrame, *, space: str = "linguistic") -> pd.DataFrame:
    """Every method on every dataset, maps fitted in-domain: one row a model, dataset, subset
    (all answers, and where some abstain those that do and that do not), method and signal.

    Parameters
    ----------
    metrics
        The metrics table.
    space
        ``linguistic`` (what readers perceive) or ``signal`` (what the model's numbers say).

    Returns
    -------
    DataFrame with columns (quantity, part); `attrs` carry title and notes for `save_table`.
    """
    # The parts of FD are parts of its change from the original, so they stand among the differences.
    changes = differences(metrics, space=space, apart=True)
    parts = changes[(changes["versus"] == "original") & changes["metric"].isin(PARTS)]
    rows = in_domain(pd.concat([plain(metrics, space=space, apart=True), parts]))
    table = widen(rows, APART, HEADLINE, ["value", "ci_low", "ci_high", "sd"])
    table.attrs = {
        "title": "RALC beside every other way to say the answers"
        if space == "linguistic"
        else "The confidence signals before and after their calibration map",
        "notes": [
            who_read(metrics, space),
            "gECE has a floor that even perfect calibration cannot pass: “null” is its expectation under "
            "calibration, “excess” what lies above it, “debiased” the number less what chance adds with so few "
            "answers. FD falls when concentration does; its two parts say how much "
            "came from moving the mean and how much from the concentration.",
            ABSTENTIONS,
            "Neither FD nor gECE sees whether right answers get more confidence than wrong ones: read them "
            "beside AUROC, Brier score and the constant hedge, which says the same to every answer.",
        ],
        "best_within": ["target", "dataset", "subset"],
    }
    return table


def signal_space(metrics: pd.DataFrame) -> pd.DataFrame:
    """The headline numbers of the signals themselves, before (`original`) and after (`ralc`) the map."""
    return headline(metrics, space="signal")


def by_reader(metrics: pd.DataFrame) -> pd.DataFrame:
    """The headline numbers as every reader of the run has them, side by side; maps fitted in-domain.

    Last, where it was run, people's own numbers of the phrases that they were asked about (a variant's words).

    Returns
    -------
    DataFrame, one row a (target, dataset, subset, method, signal), columns (reader, quantity, part).
    """
    shown, readers = [*ASKED, "spearman_mean"], readers_of(metrics)
    tables = {}
    for reader in readers:
        rows = in_domain(plain(metrics, space="linguistic", reader=reader, apart=True))
        tables[reader] = widen(rows, APART, shown, ["value", "ci_low", "ci_high"])
    people = metrics[(metrics["reader"] == PEOPLE) & (metrics["variant"] == PHRASES)]
    people = people[(people["versus"] == "none") & (people["method"] == "ralc")]
    notes = []
    if len(people):
        own = widen(in_domain(people), APART, shown, ["value", "ci_low", "ci_high"])
        tables[PEOPLE] = own.reindex(tables[readers[0]].index)
        notes.append(CEILING)
    table = pd.concat(tables, axis=1, names=["reader"])
    table.attrs = {
        "title": "The same texts by every reader",
        "notes": [
            ABSTENTIONS,
            f"The headline is the {label(main_reader(metrics))}'s; the first reader is in the loop, so it helped to "
            "choose the rewrites that it reads here.",
            *(f"{label(reader)}: {about}." for reader in readers if (about := worth(reader, readers[0]))),
            *notes,
        ],
        "best_within": ["target", "dataset", "subset"],
    }
    return table


def comparisons(metrics: pd.DataFrame) -> pd.DataFrame:
    """RALC minus each other method, paired by question: difference, 95 % CI and Holm-corrected p-value."""
    rows = in_domain(differences(metrics, apart=True))
    rows = rows[(rows["method"] == "ralc") & rows["metric"].isin(ASKED) & rows["versus"].isin(METHODS)].copy()
    index = ["target", "dataset", "subset", "signal", "versus"]
    table = widen(rows, index, ASKED, ["value", "ci_low", "ci_high", "p_value"])
    table.attrs = {
        "title": "RALC minus each other method, on the same questions",
        "notes": [
            who_read(metrics),
            "✓ RALC is better, ✗ it is worse: the 95 % interval excludes 0 and p ≤ .05.",
            families.stated(rows),
            UNTESTED,
        ],
        "difference": True,
    }
    return table


def abstentions_in(metrics: pd.DataFrame, apart: str = "headline") -> list[str]:
    """The note of a table of all answers: how many of them abstain, and which table shows those `apart`.

    None where no dataset has both answers that abstain and answers that do not.
    """
    rows = plain(metrics, space="linguistic", apart=True)
    rows = rows[(rows["method"] == "original") & (rows["metric"] == "accuracy") & (rows["target"] != MEAN)]
    sizes = rows.groupby(["subset", "dataset"], sort=False)["n"].sum()
    if "abstained" not in sizes:
        return []
    some = [
        f"{n:,} of {sizes['all', dataset]:,} on {label(dataset)}" for dataset, n in sizes["abstained"].items()
    ]
    return [
        f"Answers that abstain are in these numbers ({listed(some)}); the table “{apart}” has them apart."
    ]


def who_read(metrics: pd.DataFrame, space: str = "linguistic") -> str:
    """The note that says whose readings the numbers are."""
    if space == "signal":
        return "Signal space: no text is read; numbers come from the model's own samples and probabilities."
    name = main_reader(metrics)
    return f"Perceived confidence by the {label(name)} (“{name}”), on held-out questions."
