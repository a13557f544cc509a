"""The official files that have a stable address, fetched once and checked against a known SHA-256.

A file that changed upstream is refused, never read in place of the one that the checksum names. TruthfulQA's file is
edited in place upstream and has no such address: it is given by its path.
"""

from pathlib import Path
from typing import NamedTuple


class Source(NamedTuple):
    """Where a dataset lies, its SHA-256 (hexadecimal), and the folder of an archive that holds it."""

    url: str
    sha256: str
    folder: str | None = None


#: The checksums are those that other projects publish for these addresses.
SOURCES: dict[str, Source] = {
    "mmlu": Source(
        "https://people.eecs.berkeley.edu/~hendrycks/data.tar",
        "bec563ba4bac1d6aaf04141cd7d1605d7a5ca833e38f994051e818489592989b",
        "data/test",
    ),
    "squad2": Source(
        "https://rajpurkar.github.io/SQuAD-explorer/dataset/dev-v2.0.json",
        "80a5225e94905956a6446d296ca1093975c4d3b3260f1d6c8f68bc2ab77182d8",
    ),
}


def fetched(name: str) -> Path:
    """Return the official file (or folder) of a dataset, fetched into the user's cache unless it is there.

    Raises
    ------
    ValueError
        If the dataset has no stable address, it cannot be reached, or it is not the file that the checksum names.
    """
    if name not in SOURCES:
        raise ValueError(f"{name}: has no stable address; download it and give its `path`")
    import pooch
    from requests import RequestException

    source = SOURCES[name]
    cache = Path(pooch.os_cache("ralc"))
    unpack = pooch.Untar(extract_dir=name) if source.folder else None
    file_name = source.url.rsplit("/", 1)[1]
    try:
        pooch.retrieve(source.url, f"sha256:{source.sha256}", fname=file_name, path=cache, processor=unpack)
    except (RequestException, OSError) as error:
        raise ValueError(
            f"{source.url} cannot be fetched ({type(error).__name__}); download it elsewhere and give its `path`"
        ) from None
    except ValueError:
        raise ValueError(
            f"{source.url} is not the file with SHA-256 {source.sha256}: it was changed or cut; give the `path` of the "
            "file that you mean"
        ) from None
    return cache / name / source.folder if source.folder else cache / file_name
