"""What the jobs of a run used of the machine, beside what they asked for: from Snakemake's benchmarks."""

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

#: The columns of `usage`.
COLUMNS = [
    "rule",
    "jobs",
    "seconds",
    "longest_s",
    "memory_mb",
    "asked_mb",
    "share",
    "input_mb",
    "asked_minutes",
    "largest",
]


def usage(benchmarks: Iterable[tuple[str, Mapping[str, Any]]]) -> pd.DataFrame:
    """Return one row a rule, that with the most memory first.

    Parameters
    ----------
    benchmarks
        Of each job its rule and its benchmark: ``s`` (seconds), ``max_rss`` (MB, or NA for a job that ended
        before it was measured) and, with Snakemake's option ``--benchmark-extended``, ``resources``, ``input_size_mb``
        and ``wildcards``.

    Returns
    -------
    rule, jobs, seconds (all together), longest_s, memory_mb (the most that a job held), asked_mb (what that job
    asked for), share (the largest of memory_mb / asked_mb of its jobs), input_mb (what that job read, in its files),
    asked_minutes (the most), largest (the wildcards of the job that held the most). What was not asked for or measured
    is null. On a cluster a job holds about 260 MB more than this: two Snakemakes around it.

    Examples
    --------
    >>> usage([("complete", {"s": 3.0, "max_rss": 500.0, "resources": {"mem_mb": 2000}})])["share"].tolist()
    [0.25]
    """
    jobs = pd.DataFrame([_job(rule, benchmark) for rule, benchmark in benchmarks], columns=_JOB)
    rows = [_rule(str(rule), of_rule) for rule, of_rule in jobs.groupby("rule")]
    found = pd.DataFrame(rows, columns=COLUMNS)
    return found.sort_values(["memory_mb", "rule"], ascending=[False, True], ignore_index=True)


_JOB = ["rule", "seconds", "memory_mb", "asked_mb", "input_mb", "asked_minutes", "wildcards"]


def _job(rule: str, benchmark: Mapping[str, Any]) -> tuple[Any, ...]:
    """One job's measurements."""
    asked = benchmark.get("resources") or {}
    wildcards = " ".join((benchmark.get("wildcards") or {}).values())
    measured = [_number(benchmark["s"]), _number(benchmark["max_rss"])]
    sizes = benchmark.get("input_size_mb")
    read = sum(sizes.values()) if isinstance(sizes, Mapping) else None
    numbers = [*measured, _number(asked.get("mem_mb")), _number(read), _number(asked.get("runtime"))]
    return (rule, *numbers, wildcards)


def _rule(rule: str, jobs: pd.DataFrame) -> dict[str, Any]:
    """One row of the table."""
    held = jobs["memory_mb"]
    largest = jobs.loc[held.idxmax()] if held.notna().any() else jobs.iloc[0]
    return {
        "rule": rule,
        "jobs": len(jobs),
        "seconds": jobs["seconds"].sum(),
        "longest_s": jobs["seconds"].max(),
        "memory_mb": largest["memory_mb"],
        "asked_mb": largest["asked_mb"],
        "share": (held / jobs["asked_mb"]).max(),
        "input_mb": largest["input_mb"],
        "asked_minutes": jobs["asked_minutes"].max(),
        "largest": largest["wildcards"],
    }


def _number(value: Any) -> float:
    """A number as Snakemake writes it; NaN for what it could not measure."""
    return float(value) if isinstance(value, int | float) else float("nan")
