"""``ralc monitor``: whether the calibrator of a running server still holds, from its log and what people said."""

import json
import sys
from collections.abc import Iterable
from typing import Annotated, Any

import typer

from ralc.cli import AsJson, tables
from ralc.io.rows import truth_of

#: Equal parts of the confidences from which answers to grade are taken in turn.
_STRATA = 5


def monitor(
    replies: Annotated[str, typer.Argument(metavar="REPLIES", help="The log of `ralc serve --log`.")],
    feedback: Annotated[str, typer.Argument(metavar="FEEDBACK", help="A file with columns id and correct.")],
    grade: Annotated[
        int, typer.Option(min=0, max=1000, help="Answers that are named to be graded next.")
    ] = 5,
    as_json: AsJson = False,
) -> None:
    """Say whether a calibrator still holds, by the log of its server and the replies that people graded.

    Look as often as you like: where it holds, the alarm comes with a probability of at most 0.02, over all looks
    together. The exit code is 1 where it no longer holds. Feedback of whoever cares to click is no sample of the
    replies: grade those that are named.

    \b
    ralc monitor replies.jsonl feedback.csv
    """
    from ralc.calibrator.drift import LEVEL, wealth

    logged = tables.load(replies)
    logged.require("id", "target", "fitted_on")
    usable = {row.cells["id"]: row.cells for row in logged.rows if isinstance(row.cells.get("target"), float)}
    if not usable:
        raise ValueError(f"{replies}: no reply has one calibrated confidence")
    said = tables.load(feedback)
    ident, correct = said.require("id", "correct")
    graded = dict(said.keep(lambda cells: _grade(cells[ident], cells.get(correct), usable)))
    order = [name for name in usable if name in graded]  # as they were sent
    mean = [usable[name]["target"] for name in order]
    outcomes = [graded[name] for name in order]
    fitted_on = min(int(usable[name]["fitted_on"]) for name in order)
    evidence = wealth(mean, outcomes, fitted_on)
    first = next((place for place, value in enumerate(evidence, 1) if value >= 1 / LEVEL), None)
    told: dict[str, Any] = {"graded": len(order), "of": len(usable), "said": sum(mean) / len(mean)}
    told |= {"right": sum(outcomes) / len(outcomes), "evidence": float(evidence.max()), "alarm_at": first}
    told["grade_next"] = _next(((name, cells["target"]) for name, cells in usable.items()), graded, grade)
    print(json.dumps(told) if as_json else _in_words(told, LEVEL))
    bad = said.report_bad()
    sys.exit(bad if first is None else 1)


def _grade(ident: Any, correct: Any, usable: dict[str, Any]) -> tuple[str, int]:
    """The id of a reply and whether it is right; ValueError where it is none, or nobody said."""
    if str(ident) not in usable:
        raise ValueError(f"id {ident!r:.80} is of no reply with a calibrated confidence")
    if (truth := truth_of(correct)) is None:
        raise ValueError(f"correct = {correct!r:.80} is neither 1 nor 0 (true, false, yes, no)")
    return str(ident), int(truth)


def _next(replies: Iterable[tuple[str, float]], graded: dict[str, int], most: int) -> list[str]:
    """The replies to grade next, each from the part of the confidences that has fewest grades."""
    ranked = sorted(replies, key=lambda reply: reply[1])
    stratum = {name: place * _STRATA // len(ranked) for place, (name, _) in enumerate(ranked)}
    counts = [sum(stratum[name] == one for name in graded) for one in range(_STRATA)]
    left = [
        [name for name in stratum if stratum[name] == one and name not in graded] for one in range(_STRATA)
    ]
    chosen: list[str] = []
    while len(chosen) < most and any(left):
        one = min((one for one in range(_STRATA) if left[one]), key=counts.__getitem__)
        chosen.append(left[one].pop(len(left[one]) // 2))
        counts[one] += 1
    return chosen


def _in_words(told: dict[str, Any], level: float) -> str:
    """What was found, for people."""
    shares = f"said {told['said']:.3f} on average, right {told['right']:.3f}"
    evidence = f"evidence against the calibrator: {told['evidence']:.3g} of {1 / level:g}"
    verdict = f"it no longer holds, since the graded answer {told['alarm_at']}: fit it again"
    verdict = verdict if told["alarm_at"] else "nothing speaks against it so far"
    names = f"\ngrade next: {', '.join(told['grade_next'])}" if told["grade_next"] else ""
    return f"{told['graded']} of {told['of']} replies are graded: {shares}\n{evidence}\n{verdict}{names}"
