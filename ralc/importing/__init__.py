"""What others saved, as files of recorded samples (``ralc import``).

A format is a function that takes a file and returns rows (`ralc.recorded.table.COLUMNS`), which `write` writes as JSON
lines; a second one makes the file's questions, where it has them.
"""

from collections.abc import Callable

from ralc.importing.entries import Rows, write
from ralc.importing.studies import (
    from_dlm_uncertainty,
    from_factscore,
    from_wang2025,
    questions_of_dlm_uncertainty,
    questions_of_wang2025,
)
from ralc.importing.tools import from_batch, from_lm_eval, from_uqlm

__all__ = ["FORMATS", "GRADED", "QUESTIONS", "of_format", "write"]

#: The formats by name: what makes rows of samples, and of questions where the file has them.
FORMATS: dict[str, Callable[..., Rows]] = {
    "uqlm": from_uqlm,
    "batch": from_batch,
    "lm_eval": from_lm_eval,
    "dlm_uncertainty": from_dlm_uncertainty,
    "wang2025": from_wang2025,
    "factscore": from_factscore,
}
#: Those that hold metrics of answers, one of which (`correct`) is the outcome.
GRADED: dict[str, Callable[..., Rows]] = {"lm_eval": from_lm_eval}
QUESTIONS: dict[str, Callable[..., Rows]] = {
    "dlm_uncertainty": questions_of_dlm_uncertainty,
    "wang2025": questions_of_wang2025,
}


def of_format(name: str, known: dict[str, Callable[..., Rows]]) -> Callable[..., Rows]:
    """Return what converts a format; ValueError for one that is not known."""
    if name not in known:
        raise ValueError(f"no format {name!r} here: {', '.join(known)}")
    return known[name]
