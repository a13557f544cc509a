"""What it takes to repeat a run: facts for its reader, and a record of what its models answered.

A record has ``journals/STAGE/MODEL.jsonl``, the answers by the keys of their requests (`ralc.llm.journal`);
``config.json``, to be run as it is; and ``record.json``, who answered, which version of RALC asked, and the checksums
of the files that the configuration names. There is no prompt and no question in it.
"""

import hashlib
import json
import platform
import shutil
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pandas as pd

import ralc
from ralc import io
from ralc.llm.journal import journals_of

#: Packages whose versions can change a number.
PACKAGES = ("numpy", "scipy", "scikit-learn", "statsmodels", "snakemake", "xllamacpp", "vllm")
#: Rules whose time is shown.
LONGEST = 6


def provenance(run: Mapping[str, Any], calls: pd.DataFrame, jobs: pd.DataFrame) -> list[tuple[str, str]]:
    """Return what a reader needs to repeat a run, as (name, text).

    Parameters
    ----------
    run
        ``protocol``, ``seed``, ``choices`` (texts by name) and ``models``, the entries of the configuration by name.
    calls
        The calls table (`ralc.pipeline.run_costs`).
    jobs
        What each rule used (`ralc.pipeline.run_costs.job_usage`).
    """
    models = []
    for name, entry in run["models"].items():
        weights = f", {entry['quantization']}" if entry.get("quantization") else ""
        which = f"{revision(entry) or 'revision not pinned'}{weights}"
        models.append((f"Model {name}", f"{entry['model']} ({which}), {entry['engine']}"))
    stages = calls.groupby("stage", sort=False)[["requests", "answers"]].sum()
    asked = [f"{stage} {row.requests:,} ({row.answers:,} answers)" for stage, row in stages.iterrows()]
    longest = jobs.sort_values("seconds", ascending=False).head(LONGEST)
    times = [f"{row.rule.replace('_', ' ')} {row.seconds:,.0f} s" for row in longest.itertuples()]
    time = f"{jobs['seconds'].sum():,.0f} s in measured jobs: {', '.join(times)}" if times else "not measured"
    return [
        ("RALC", software()),
        ("Protocol", run["protocol"]),
        ("Seed", str(run["seed"])),
        *run["choices"].items(),
        *models,
        ("Calls", "; ".join(asked) or "no model was asked"),
        ("Time", time),
    ]


def software() -> str:
    """Return the versions of RALC, of Python, and of what can change a number."""
    packages = ", ".join(f"{name} {number}" for name in PACKAGES if (number := _version(name)))
    return f"{ralc.__version__}, Python {platform.python_version()}, {packages}"


def revision(entry: Mapping[str, Any]) -> str | None:
    """Return which version of a model's weights answers; None where its entry does not pin one."""
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

    Parameters
    ----------
    run
        Its configuration, as plain values.
    files
        The files and folders that it reads, by the keys that name them.
    calls
        The calls table: what is packed is what these stages and models have answered.
    journals
        The run's journals.
    folder
        The record.
    """
    for stage, model in calls[["stage", "model"]].itertuples(index=False):
        for file in journals_of(Path(journals, stage, f"{model}.jsonl")):
            copy = Path(folder, "journals", stage, file.name)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)
    again = {**run, "journals": "journals", "outdir": f"{run['outdir']}_from_record"}
    io.write_text(json.dumps(again, indent=1, ensure_ascii=False) + "\n", Path(folder, "config.json"))
    io.write_json(card(run["models"], files, calls), Path(folder, "record.json"))


def card(models: Mapping[str, Any], files: Mapping[str, str], calls: pd.DataFrame) -> dict[str, Any]:
    """Return what a record is of.

    Returns
    -------
    dict
        ``software`` (versions); ``models`` by name: ``engine, model, revision, licence`` (null where the entry names
        none), ``answers`` by stage; ``files``: the SHA-256 of each, null for a folder.
    """
    answered = {
        name: {
            **{key: models[name].get(key) for key in ("engine", "model", "licence")},
            "revision": revision(models[name]),
            "answers": dict(zip(asked["stage"], asked["answers"].tolist(), strict=True)),
        }
        for name, asked in calls.groupby("model", sort=False)
    }
    sums = {
        key: None if Path(path).is_dir() else hashlib.sha256(Path(path).read_bytes()).hexdigest()
        for key, path in files.items()
    }
    return {"software": software(), "models": answered, "files": sums}
