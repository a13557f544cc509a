"""Files fetched once from a public address and checked against a known SHA-256."""

from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit


class Source(NamedTuple):
    """The address of a file and its SHA-256 (hexadecimal)."""

    url: str
    sha256: str


def fetch(path: Path, source: Source) -> Path:
    """Return `path`, after the file of `source` was fetched into it unless it is there.

    Raises
    ------
    ValueError
        If another file stands in its place, or the file cannot be fetched or has changed; nothing is kept of it.
    """
    import pooch
    from requests import ConnectionError as NoConnection

    known = f"sha256:{source.sha256}"
    if path.exists() and pooch.file_hash(str(path), alg="sha256") != source.sha256:
        raise ValueError(f"{path}: is not the file of SHA-256 {source.sha256}: move it away first")
    try:
        pooch.retrieve(source.url, known, fname=path.name, path=path.parent, progressbar=False)
    except NoConnection:
        raise ValueError(f"no connection to {urlsplit(source.url).hostname}") from None
    except OSError as error:  # of which the other errors of pooch's HTTP client are a kind
        raise ValueError(f"cannot fetch {source.url}: {error}") from None
    except ValueError as error:
        raise ValueError(
            f"{source.url} has changed, it is not the file with the known checksum, and nothing was kept: {error}"
        ) from None
    return path
