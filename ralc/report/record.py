"""What a run cost and what it takes to repeat it: calls, jobs, facts for its reader, and a record of all answers.

A record has ``journals/STAGE/MODEL.jsonl.gz``, the answers by the keys of their requests (`ralc.llm.journal`), and
``config.json``, to be run as it is. ``record.json`` says who answered, which version of RALC asked, and the checksums
of the files that the configuration names. There is no prompt and no question in it.
"""

import gzip
import hashlib
import json
import platform
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pandas as pd

import ralc
from ralc import io
from ralc.llm.engines import Price
from ralc.llm.journal import journals_of

#: Packages whose versions can change a number.
PACKAGES = ("numpy", "scipy", "scikit-learn", "snakemake", "xllamacpp", "vllm")
#: Rules whose time is shown.
RULES_SHOWN = 6
#: The columns of a responses table that are counted.
COUNTED = ["key", "finish_reason", "prompt_tokens", "completion_tokens", "reasoning_tokens"]
COUNTED += ["error", "attempt", "valid"]
#: What is said of a stage's answers: columns of `count_calls`.
REPLIES = ("answers", "cut", "second_attempts", "invalid", "errors")
#: What is measured of each job, and the columns of `job_usage`.
MEASURED = ["seconds", "memory_mb", "asked_mb", "input_mb"]
JOB_COLUMNS = ["rule", "jobs", "seconds", "longest_s", "memory_mb", "asked_mb", "input_mb", "largest"]


def count_calls(
    stages: Sequence[tuple[str, str]], prices: Mapping[str, Any], responses: Iterable[pd.DataFrame]
) -> pd.DataFrame:
    """Return one row a (stage, model): what was asked, and how the answers came back.

    Prompt tokens count once a request. ``cut`` are answers of the greatest length, ``invalid`` those that did not meet
    their constraint. ``cost`` has the currency of the price, null without one. First attempts that a second replaced
    are not in tokens and cost.

    Parameters
    ----------
    stages
        The stage and model of each table of `responses`.
    prices
        By model, the prices of a million tokens, as in its entry in the configuration.
    responses
        Tables that are read one at a time, with the columns `COUNTED`.
    """
    rows = []
    for (stage, model), answers in zip(stages, responses, strict=True):
        price = Price.model_validate(prices[model])
        failed = answers["error"].notna()
        prompt = int(answers.drop_duplicates("key")["prompt_tokens"].sum())
        completion = int(answers["completion_tokens"].sum())
        cost = (prompt * price.prompt + completion * price.completion) / 1e6
        row = {
            "stage": stage,
            "model": model,
            "requests": answers["key"].nunique(),
            "answers": len(answers),
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "reasoning_tokens": int(answers["reasoning_tokens"].sum()),
            "cut": int((answers["finish_reason"] == "length").sum()),
            "second_attempts": int((answers["attempt"] == 2).sum()),
            "invalid": int((~answers["valid"] & ~failed).sum()),
            "errors": int(failed.sum()),
            "cost": float("nan") if price == Price() else cost,
        }
        rows.append(row)
    # Shards of one table share no request.
    return pd.DataFrame(rows).groupby(["stage", "model"], sort=False).sum(min_count=1).reset_index()


def job_usage(benchmarks: Iterable[tuple[str, Mapping[str, Any]]]) -> pd.DataFrame:
    """Return one row a rule, that with the most memory first.

    `benchmarks` are each job's rule and its benchmark, as ``--benchmark-extended`` writes it. Columns are rule, jobs,
    seconds (of all jobs), longest_s, and of the job with the most memory memory_mb, asked_mb, input_mb and largest
    (its wildcards). What was not asked for or measured is null. On a cluster, two Snakemakes around a job hold 260 MB
    more.
    """
    rows = []
    for rule, benchmark in benchmarks:
        sizes = benchmark.get("input_size_mb")
        limits = benchmark.get("resources") or {}
        read = sum(sizes.values()) if isinstance(sizes, Mapping) else None
        wildcards = " ".join((benchmark.get("wildcards") or {}).values())
        rows.append((rule, benchmark["s"], benchmark["max_rss"], limits.get("mem_mb"), read, wildcards))
    jobs = pd.DataFrame(rows, columns=["rule", *MEASURED, "largest"])
    jobs[MEASURED] = jobs[MEASURED].apply(pd.to_numeric, errors="coerce").astype(float)
    times = jobs.groupby("rule")["seconds"].agg(jobs="size", seconds="sum", longest_s="max").reset_index()
    largest = jobs.drop(columns="seconds").sort_values(["memory_mb", "rule"], ascending=[False, True])
    return largest.drop_duplicates("rule").merge(times, on="rule")[JOB_COLUMNS]


def provenance(run: Mapping[str, Any], calls: pd.DataFrame, jobs: pd.DataFrame) -> list[tuple[str, str]]:
    """Return what a reader needs to repeat a run, as (name, text).

    Parameters
    ----------
    run
        ``protocol``, ``seed``, ``choices`` (texts by name) and ``models``, the entries of the configuration by name.
    calls, jobs
        Tables of `count_calls` and `job_usage`.
    """
    models = []
    for name, entry in run["models"].items():
        weights = f", {entry['quantization']}" if entry.get("quantization") else ""
        which = f"{_revision(entry) or 'revision not pinned'}{weights}"
        models.append((f"Model {name}", f"{entry['model']} ({which}), {entry['engine']}"))
    stages = calls[calls["requests"] > 0].groupby("stage", sort=False)[["requests", *REPLIES]].sum()
    lines = []
    for stage, row in stages.iterrows():
        counts = [f"{row[name]:,} {name.replace('_', ' ')}" for name in REPLIES if row[name]]
        lines.append(f"{stage} {row.requests:,} ({', '.join(counts)})")
    longest = jobs.sort_values("seconds", ascending=False).head(RULES_SHOWN)
    times = [f"{row.rule.replace('_', ' ')} {row.seconds:,.0f} s" for row in longest.itertuples()]
    time = f"{jobs['seconds'].sum():,.0f} s in measured jobs: {', '.join(times)}" if times else "not measured"
    return [
        ("RALC", software()),
        ("Protocol", run["protocol"]),
        ("Seed", str(run["seed"])),
        *run["choices"].items(),
        *models,
        ("Calls", "; ".join(lines) or "no model was asked"),
        ("Time", time),
    ]


def software() -> str:
    """Return the versions of RALC, of Python, and of what can change a number."""
    packages = ", ".join(f"{name} {number}" for name in PACKAGES if (number := _version(name)))
    return f"{ralc.__version__}, Python {platform.python_version()}, {packages}"


def _revision(entry: Mapping[str, Any]) -> str | None:
    """Which version of a model's weights answers; None where its entry does not pin one."""
    packaged = _version(entry["model"]) if entry["engine"] == "embedded" else None
    return entry.get("revision") or (f"package {packaged}" if packaged else None)


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def pack(
    run: Mapping[str, Any],
    files: Mapping[str, str],
    calls: pd.DataFrame,
    journals: str | Path,
    folder: str | Path,
) -> None:
    """Write the record of a run into a folder.

    ``record.json`` has ``software`` (versions), ``models`` and ``files`` (the SHA-256 of each, null for a folder).
    A model has ``engine, model, revision, licence`` (null where the entry names none), and ``answers`` by stage.

    Parameters
    ----------
    run
        The configuration as plain values.
    files
        The files and folders that the run reads, by the keys that name them.
    calls
        A table of `count_calls`; what its stages and models answered is packed.
    journals, folder
        Where the run's journals are, and where the record is written.
    """
    for stage, model in calls[["stage", "model"]].itertuples(index=False):
        for file in journals_of(Path(journals, stage, f"{model}.jsonl")):
            copy = Path(folder, "journals", stage, f"{file.name}.gz")
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(gzip.compress(file.read_bytes(), mtime=0))
    again = {**run, "journals": "journals", "outdir": f"{run['outdir']}_from_record"}
    io.write_text(json.dumps(again, indent=1, ensure_ascii=False) + "\n", Path(folder, "config.json"))
    models = {}
    for name, rows in calls.groupby("model", sort=False):
        entry = run["models"][name]
        models[name] = {
            **{key: entry.get(key) for key in ("engine", "model", "licence")},
            "revision": _revision(entry),
            "answers": dict(zip(rows["stage"], rows["answers"].tolist(), strict=True)),
        }
    sums = {
        key: None if Path(path).is_dir() else hashlib.sha256(Path(path).read_bytes()).hexdigest()
        for key, path in files.items()
    }
    io.write_json({"software": software(), "models": models, "files": sums}, Path(folder, "record.json"))
