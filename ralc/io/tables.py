"""Parquet tables of a run, each checked against its schema when it is written and read."""

from collections.abc import Collection
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq

from ralc import schemas
from ralc.conditions import averaged
from ralc.io.files import REMEDY, inert, whole_file, write_text
from ralc.io.rows import located, read_rows


def read_table(
    path: str | Path, table: str, columns: Collection[str] | None = None, where: dict[str, str] | None = None
) -> pd.DataFrame:
    """Read a parquet table, or some of its columns and rows, and check it by `ralc.schemas`.

    ValueError if the file is not such a table, naming file, column and row.

    Parameters
    ----------
    path
        The file.
    table
        The table's name in `ralc.schemas.TABLES`.
    columns
        Those that are read; None reads all.
    where
        Values by column: only rows that have them are read.
    """
    conditions = [(name, "==", value) for name, value in (where or {}).items()]
    chosen = {"columns": columns and list(columns), "filters": conditions or None}
    with located(str(path), f"is damaged or no {table} table: {REMEDY}"):
        try:
            frame = pd.read_parquet(path, page_checksum_verification=True, **chosen)
        except KeyError as error:  # of pandas' notes in the file; it says nothing of the columns
            raise ValueError(f"its notes lack {error}") from None
    with located(str(path), ""):
        return schemas.check(frame, table, columns)


def write_table(frame: pd.DataFrame, path: str | Path, table: str) -> None:
    """Check a table against its schema and write it as parquet.

    Parameters
    ----------
    frame
        Any index is left out.
    path
        The file, which takes its name once it is whole.
    table
        The table's name in `ralc.schemas.TABLES`.
    """
    checked = schemas.check(frame.reset_index(drop=True), table)
    with whole_file(path) as temporary:
        checked.to_parquet(temporary, index=False, write_page_checksum=True)


def write_csv(frame: pd.DataFrame, path: str | Path) -> None:
    """Write a small table for people as CSV, in which no text is a formula to a spreadsheet."""
    write_text(frame.map(inert).rename(columns=inert).to_csv(index=False, lineterminator="\n"), path)


def read_tables(paths: list[str], table: str) -> pd.DataFrame | None:
    """Read several tables of one kind as one; None where there are none (a role without a model)."""
    return pd.concat([read_table(path, table) for path in paths], ignore_index=True) if paths else None


def read_per_target(paths: list[str], table: str) -> pd.DataFrame:
    """Read one table of each target, which its file is named for, as one table with a first column `target`."""
    frames = [read_table(path, table) for path in paths]
    for frame, path in zip(frames, paths, strict=True):
        frame.insert(0, "target", Path(path).stem)
    return pd.concat(frames, ignore_index=True)


def read_results(inputs: Any) -> dict[str, pd.DataFrame]:
    """Read the inputs of a rule that are named for a table, as in ``items_table``, by the tables' names.

    The means over datasets and signals of ``metrics`` are a table of their own, ``averages``.
    """
    paths = {name.removesuffix("_table"): path for name, path in inputs.items() if "_table" in name}
    kinds = {path: "metrics" if table == "averages" else table for table, path in paths.items()}
    read = {path: read_table(path, kind) for path, kind in kinds.items()}
    tables = {table: read[path] for table, path in paths.items()}
    for table in tables.keys() & {"metrics", "averages"}:
        means = averaged(tables[table]) == (table == "averages")
        tables[table] = tables[table][means].reset_index(drop=True)
    return tables


def read_requests(paths: list[str], **where: str) -> pd.DataFrame | None:
    """Read requests tables without their prompts, rows as in ``target="llama"``; None where no model is asked."""
    parts = []
    for path in paths:
        columns = [name for name in pq.read_schema(path).names if name not in ("head", "tail")]
        parts.append(read_table(path, "requests", columns, where))
    return pd.concat(parts, ignore_index=True) if parts else None


def read_benchmarks(folder: str | Path) -> list[tuple[str, dict[str, Any]]]:
    """Return rule and figures of Snakemake's benchmark files below a folder; ValueError names one that is cut."""
    files = sorted(Path(folder).rglob("*.jsonl"))
    return [(file.relative_to(folder).with_suffix("").parts[0], read_rows(file)[0].cells) for file in files]
