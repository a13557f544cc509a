"""Parquet files that people bring, as rows; a damaged one is named."""

from pathlib import Path
from typing import Any

#: Bytes that the rows of a file may take: so many, or so many times its size.
_UNPACKED, _TIMES = 200_000_000, 50
_BATCH = 100  # rows that are unpacked at once


def read_parquet(path: str | Path) -> list[dict[str, Any]]:
    """Return the rows of a parquet file, lists as lists; the numbers that pandas keeps of the rows are left out.

    Raises
    ------
    ValueError
        If the file cannot be read, or a column stands twice; naming it.
    """
    import pyarrow.parquet as pq

    most, size = max(_UNPACKED, _TIMES * Path(path).stat().st_size), 0
    rows: list[dict[str, Any]] = []
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            names = file.schema_arrow.names
            if sum(file.metadata.row_group(at).total_byte_size for at in range(file.num_row_groups)) > most:
                raise ValueError(f"it unpacks to more than {most} bytes")
            for batch in file.iter_batches(_BATCH):
                size += sum(map(_taken, batch.columns))
                if size > most:
                    raise ValueError(f"it unpacks to more than {most} bytes")
                rows += batch.to_pylist()
    except Exception as error:  # decoders of damaged bytes raise whatever they meet
        raise ValueError(
            f"{path}: is damaged or no parquet file ({' '.join(str(error).split())[:200]})"
        ) from None
    if len(set(names)) < len(names):
        raise ValueError(f"{path}: a column stands twice")
    unnamed = [name for name in names if name.startswith("__index_level_")]
    return [{name: value for name, value in row.items() if name not in unnamed} for row in rows]


def _taken(column: Any) -> int:
    """The bytes of a column; of one that names its texts by numbers at most, without writing them out."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_dictionary(column.type):
        return column.nbytes
    texts = column.dictionary
    known = (
        pa.types.is_large_string(texts.type)
        or pa.types.is_string(texts.type)
        or pa.types.is_binary(texts.type)
    )
    longest = (pc.max(pc.binary_length(texts)).as_py() or 0) if known else texts.nbytes
    return len(column) * longest
