"""A replication record: a run's journals, its configuration, and who answered.

``FOLDER/journals/STAGE/MODEL.jsonl`` is what a model answered in a stage, texts and log-probabilities by the keys of
the requests (`ralc.llm.journal`), ``config.json`` the run's configuration, to be run as it is, and ``record.json``
says which model, revision, engine and licence each answer is of, and which version of RALC asked for it. There is no
prompt and no question in it: files that the configuration names have licences of their own, and are named by their
checksums.
"""

import hashlib
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from ralc import io
from ralc.llm.journal import journals_of
from ralc.report.provenance import revision, software


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
        The calls table (`ralc.pipeline.run_costs`): what is packed is what these stages and models have answered.
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
    """What a record is of.

    Returns
    -------
    ``software`` (versions, in words); ``models``, by their names in the configuration: ``engine``, ``model``,
    ``revision`` (null: not pinned), ``licence`` (null: the entry names none), ``answers`` by stage; ``files``: the
    SHA-256 of each file that the configuration names, null for a folder.
    """
    answered = {
        name: {
            **{key: models[name].get(key) for key in ("engine", "model")},
            "revision": revision(models[name]),
            "licence": models[name].get("licence"),
            "answers": dict(zip(asked["stage"], asked["answers"].tolist(), strict=True)),
        }
        for name, asked in calls.groupby("model", sort=False)
    }
    return {
        "software": software(),
        "models": answered,
        "files": {key: _sha256(Path(path)) for key, path in files.items()},
    }


def _sha256(path: Path) -> str | None:
    if path.is_dir():
        return None
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
