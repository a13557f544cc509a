"""Where the numbers of a run come from: versions, choices, models, calls and time, each with its name."""

import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import pandas as pd

import ralc

#: Packages whose versions can change a number.
PACKAGES = ("numpy", "scipy", "scikit-learn", "statsmodels", "snakemake", "xllamacpp", "vllm")


def provenance(run: Mapping[str, Any], calls: pd.DataFrame, jobs: pd.DataFrame) -> list[tuple[str, str]]:
    """Return what an evaluator needs to repeat a run, as (name, text).

    Parameters
    ----------
    run
        ``protocol``, ``seed``, ``choices`` (texts by name) and ``models``, the entries of the configuration by name.
    calls
        The calls table (`ralc.pipeline.run_costs`).
    jobs
        What each rule used (`ralc.pipeline.run_costs.job_usage`).
    """
    return [
        ("RALC", software()),
        ("Protocol", run["protocol"]),
        ("Seed", str(run["seed"])),
        *run["choices"].items(),
        *((f"Model {name}", _model(entry)) for name, entry in run["models"].items()),
        ("Calls", _calls(calls)),
        ("Time", _time(jobs)),
    ]


def software() -> str:
    """The versions of RALC, of Python, and of what can change a number."""
    packages = ", ".join(f"{name} {found}" for name in PACKAGES if (found := _version(name)))
    return f"{ralc.__version__}, Python {platform.python_version()}, {packages}"


def revision(entry: Mapping[str, Any]) -> str | None:
    """Which version of a model's weights answers; None where its entry does not pin one."""
    packaged = _version(entry["model"]) if entry["engine"] == "embedded" else None
    return entry.get("revision") or (f"package {packaged}" if packaged else None)


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _model(entry: Mapping[str, Any]) -> str:
    """A model as it is asked: what it is, which revision, by which engine."""
    weights = f", {entry['quantization']}" if entry.get("quantization") else ""
    return f"{entry['model']} ({revision(entry) or 'revision not pinned'}{weights}), {entry['engine']}"


def _calls(calls: pd.DataFrame) -> str:
    """How often the models were asked, by stage."""
    stages = calls.groupby("stage", sort=False)[["requests", "answers"]].sum()
    parts = [f"{stage} {row.requests:,} ({row.answers:,} answers)" for stage, row in stages.iterrows()]
    return "; ".join(parts) or "no model was asked"


def _time(jobs: pd.DataFrame, shown: int = 6) -> str:
    """Seconds of the measured steps, the longest first."""
    longest = jobs.sort_values("seconds", ascending=False).head(shown)
    parts = [f"{row.rule.replace('_', ' ')} {row.seconds:,.0f} s" for row in longest.itertuples()]
    return f"{jobs['seconds'].sum():,.0f} s in measured jobs: {', '.join(parts)}" if parts else "not measured"
