"""What a run cost: what its models were asked, and what its jobs used of the machine."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from ralc.llm.engines import Price

#: The columns of a responses table that are counted.
COUNTED = ["key", "finish_reason", "prompt_tokens", "completion_tokens", "reasoning_tokens"]
COUNTED += ["error", "attempt", "valid"]


def count_calls(
    asked: Sequence[tuple[str, str]], prices: Mapping[str, Any], responses: Iterable[pd.DataFrame]
) -> pd.DataFrame:
    """Return one row a (stage, model): what was asked, and how the answers came back.

    Parameters
    ----------
    asked
        Stage and model of each table of `responses`.
    prices
        What a million tokens of each model cost, as in its entry in the configuration.
    responses
        Responses tables with at least the columns `COUNTED`, read one at a time.

    Returns
    -------
    DataFrame
        stage, model, requests, answers, prompt_tokens (once a request), completion_tokens, reasoning_tokens, cut
        (answers of the greatest length), second_attempts, invalid (answers that did not meet their constraint), errors,
        cost (in the currency of the model's `price`; null without one). First attempts that a second replaced are not
        in tokens and cost.
    """
    rows = [
        {"stage": stage, "model": model, **_counts(table, Price.model_validate(prices[model]))}
        for (stage, model), table in zip(asked, responses, strict=True)
    ]
    # Shards of one table share no request.
    return pd.DataFrame(rows).groupby(["stage", "model"], sort=False).sum(min_count=1).reset_index()


def _counts(answers: pd.DataFrame, price: Price) -> dict[str, float]:
    failed = answers["error"].notna()
    prompt = int(answers.drop_duplicates("key")["prompt_tokens"].sum())
    completion = int(answers["completion_tokens"].sum())
    return {
        "requests": answers["key"].nunique(),
        "answers": len(answers),
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "reasoning_tokens": int(answers["reasoning_tokens"].sum()),
        "cut": int((answers["finish_reason"] == "length").sum()),
        "second_attempts": int((answers["attempt"] == 2).sum()),
        "invalid": int((~answers["valid"] & ~failed).sum()),
        "errors": int(failed.sum()),
        "cost": float("nan")
        if price == Price()
        else (prompt * price.prompt + completion * price.completion) / 1e6,
    }


def by_question(requests: pd.DataFrame, responses: pd.DataFrame) -> pd.DataFrame:
    """Return what each question was asked, by its id: ``answers``, and ``tokens`` with the prompt once."""
    asked = requests.loc[requests["prompt"] == "direct", ["question_id", "key"]]
    of = asked.merge(responses[["key", "prompt_tokens", "completion_tokens"]], on="key").groupby(
        "question_id"
    )
    tokens = of["completion_tokens"].sum() + of["prompt_tokens"].first()
    return pd.DataFrame({"answers": of.size(), "tokens": tokens})


def job_usage(benchmarks: Iterable[tuple[str, Mapping[str, Any]]]) -> pd.DataFrame:
    """Return one row a rule, that with the most memory first.

    Parameters
    ----------
    benchmarks
        Of each job its rule and its benchmark: ``s`` (seconds), ``max_rss`` (MB, or NA for a job that ended before it
        was measured), and by ``--benchmark-extended`` ``resources``, ``input_size_mb`` and ``wildcards``.

    Returns
    -------
    DataFrame
        rule, jobs, seconds (of all jobs), longest_s, memory_mb (the most that a job held), of that job asked_mb,
        input_mb and largest (its wildcards), share (the largest of memory_mb / asked_mb), asked_minutes (the most).
        What was not asked for or measured is null. On a cluster, two Snakemakes around a job hold 260 MB more.

    Examples
    --------
    >>> job_usage([("complete", {"s": 3.0, "max_rss": 500.0, "resources": {"mem_mb": 2000}})])["share"].tolist()
    [0.25]
    """
    jobs = pd.DataFrame([_job(rule, benchmark) for rule, benchmark in benchmarks], columns=_JOB)
    jobs = jobs.assign(share=jobs["memory_mb"] / jobs["asked_mb"])
    largest = jobs.sort_values("memory_mb", ascending=False, kind="stable").drop_duplicates("rule")
    of_rule = jobs.groupby("rule").agg(
        jobs=("rule", "size"),
        seconds=("seconds", "sum"),
        longest_s=("seconds", "max"),
        share=("share", "max"),
        asked_minutes=("asked_minutes", "max"),
    )
    table = largest.drop(columns=["share", "seconds", "asked_minutes"]).merge(of_rule, on="rule")
    return table.sort_values(["memory_mb", "rule"], ascending=[False, True], ignore_index=True)[JOB_COLUMNS]


_JOB = ["rule", "seconds", "memory_mb", "asked_mb", "input_mb", "asked_minutes", "largest"]
#: The columns of `job_usage`.
JOB_COLUMNS = ["rule", "jobs", "seconds", "longest_s", "memory_mb", "asked_mb", "share", "input_mb"]
JOB_COLUMNS += ["asked_minutes", "largest"]


def _job(rule: str, benchmark: Mapping[str, Any]) -> tuple[Any, ...]:
    """One job's measurements; NaN for what Snakemake could not measure."""
    asked, sizes = benchmark.get("resources") or {}, benchmark.get("input_size_mb")
    read = sum(sizes.values()) if isinstance(sizes, Mapping) else None
    numbers = (benchmark["s"], benchmark["max_rss"], asked.get("mem_mb"), read, asked.get("runtime"))
    values = (float(one) if isinstance(one, int | float) else float("nan") for one in numbers)
    return (rule, *values, " ".join((benchmark.get("wildcards") or {}).values()))
