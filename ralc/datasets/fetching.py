"""Published datasets from the addresses that their authors publish, fetched once into the user's cache."""

import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

from ralc.io.downloads import Source, fetch

#: The official file of each. None was fetched from here while this was written: addresses and checksums are
#: those that others publish, and a file that is not theirs is refused.
SOURCES: dict[str, Source] = {
    # Both as many projects pin them; the file of this checksum lies in the dataset cais/mmlu on the Hugging Face hub,
    # too. The 57 files in its data/test have no header.
    "mmlu": Source(
        "https://people.eecs.berkeley.edu/~hendrycks/data.tar",
        "bec563ba4bac1d6aaf04141cd7d1605d7a5ca833e38f994051e818489592989b",
    ),
    # Both in `datasets/squad_v2` of huggingface/datasets and in many projects that pin them (4,370,528 bytes).
    "squad2": Source(
        "https://rajpurkar.github.io/SQuAD-explorer/dataset/dev-v2.0.json",
        "80a5225e94905956a6446d296ca1093975c4d3b3260f1d6c8f68bc2ab77182d8",
    ),
    # The authors edit their file in place; this is the commit that `datasets/truthful_qa` of huggingface/datasets pins,
    # with its checksum and 443,723 bytes (817 questions).
    "truthfulqa": Source(
        "https://raw.githubusercontent.com/sylinrl/TruthfulQA/013686a06be7a7bde5bf8223943e106c7250123c/TruthfulQA.csv",
        "8d7dd15f033196140f032d97d30f037da7a7b1192c3f36f9937c1850925335a2",
    ),
}
_FACTSCORE = (
    "https://raw.githubusercontent.com/google-deepmind/long-form-factuality/9d27158d198ced0a9d8271a80147cae580614601/"
    "third_party/factscore/labeled_data"
)
#: The official files of datasets that have several.
FOLDERS: dict[str, tuple[Source, ...]] = {
    # FActScore's labelled answers, in the copy under the MIT licence; checksums of that commit.
    "factscore": (
        Source(
            f"{_FACTSCORE}/ChatGPT.jsonl", "b58fe7113acc28dee8d3e6ee7e426bfdedaa293bba270f0977f568b9319e92d4"
        ),
        Source(
            f"{_FACTSCORE}/InstructGPT.jsonl",
            "4ec1fa538a9f99606130c76db63d4af7f203ca460954a3edd7c4d0e385cd2d58",
        ),
        Source(
            f"{_FACTSCORE}/PerplexityAI.jsonl",
            "81ada151f2de8b7c205e3c15491e54b92d89bfb37b05366dca8b7a0486f109ff",
        ),
    )
}
#: The folder of an archive that holds the questions.
_FOLDERS = {"mmlu": "data/test"}


def fetched(name: str) -> Path:
    """Return the official file (or folder) of a dataset, fetched into the user's cache unless it is there.

    Raises
    ------
    ValueError
        If it cannot be had whole from its address, or another file stands in its place.
    """
    import pooch

    folder = Path(pooch.os_cache("ralc"), name)
    try:
        paths = [
            fetch(folder / one.url.rsplit("/", 1)[1], one) for one in FOLDERS.get(name) or (SOURCES[name],)
        ]
    except ValueError as error:
        raise ValueError(f"dataset {name!r}: {error} (or give the `path` of a file that you have)") from None
    if name in FOLDERS:
        return folder
    return _unpacked(paths[0], _FOLDERS[name]) if name in _FOLDERS else paths[0]


def _unpacked(archive: Path, folder: str) -> Path:
    """A folder of a tar archive, beside it; whole or not at all."""
    target = archive.parent / Path(folder).name
    if not target.exists():
        with tarfile.open(archive) as file, TemporaryDirectory(dir=archive.parent) as temporary:
            members = [one for one in file.getmembers() if one.name.startswith(f"{folder}/")]
            careful = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # not before 3.11.4
            file.extractall(temporary, members, **careful)
            Path(temporary, folder).rename(target)
    return target
