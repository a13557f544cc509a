"""How the committed figures of ``ralc/data`` were estimated from people: run from a checkout, by hand.

Each module says what it writes; ``python -m studies`` reads the committed hedges and the studies anew. Nothing of the
package imports this one, and it is in no wheel.
"""

from argparse import ArgumentTypeError
from pathlib import Path


def study_folder(text: str) -> Path:
    """Return a folder that a command is given; one that is not there ends the command, and says what to do."""
    path = Path(text)
    if not path.is_dir():
        raise ArgumentTypeError(f"{text}: no such folder; python -m studies.download DIR fetches the studies")
    return path
