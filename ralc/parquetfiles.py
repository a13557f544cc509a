"""Parquet files that people bring, as rows; a damaged one is named."""

from pathlib import Path
from typing import Any


def read_parquet(path: str | Path) -> list[dict[str, Any]]:
    """Return the rows of a parquet file, lists as lists; the numbers that pandas keeps of the rows are left out.

    Raises
    ------
    ValueError
        If the file cannot be read, or a column stands twice; naming it.
    """
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(path, page_checksum_verification=True)
        rows = table.to_pylist()
    except Exception as error:  # decoders of damaged bytes raise whatever they meet
        raise ValueError(
            f"{path}: is damaged or no parquet file ({' '.join(str(error).split())[:200]})"
        ) from None
    unnamed = [name for name in table.column_names if name.startswith("__index_level_")]
    return [{name: value for name, value in row.items() if name not in unnamed} for row in rows]
