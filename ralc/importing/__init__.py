"""What others saved, as files of recorded samples and of questions (``ralc import``).

A format is a function that takes a file and returns rows of what the file has of the columns of
recorded samples (`ralc.recorded.file.COLUMNS`) and of questions (`ralc.datasets.userfile.HEADERS`). `read` puts
the rows of one question together, and `samples` and `questions` are the two files that they make.
"""

import inspect
from collections.abc import Callable
from pathlib import Path

from ralc.importing.chat_replies import from_batch, from_openai, from_vllm
from ralc.importing.entries import questions, samples, together, write
from ralc.importing.evaluations import from_helm, from_inspect, from_lm_eval
from ralc.importing.plain import from_table
from ralc.importing.published import from_dlm_uncertainty, from_factscore, from_wang2025
from ralc.importing.tools import from_uqlm
from ralc.io.rows import Row

__all__ = ["FORMATS", "questions", "read", "samples", "write"]

#: The formats by name.
FORMATS: dict[str, Callable[..., list[Row]]] = {
    "table": from_table,
    "batch": from_batch,
    "openai": from_openai,
    "vllm": from_vllm,
    "lm_eval": from_lm_eval,
    "helm": from_helm,
    "inspect_ai": from_inspect,
    "uqlm": from_uqlm,
    "dlm_uncertainty": from_dlm_uncertainty,
    "wang2025": from_wang2025,
    "factscore": from_factscore,
}


def read(form: str, path: str | Path, **options: str | None) -> list[Row]:
    """Return the rows of a file of a format, one a question; options that are None are not given.

    Raises
    ------
    ValueError
        If there is no such format, or option of it; or the file is not of the format, whose place is named.
    """
    if form not in FORMATS:
        raise ValueError(f"no format {form!r} here: {', '.join(FORMATS)}")
    given = {name: value for name, value in options.items() if value is not None}
    for name in given:
        if name not in inspect.signature(FORMATS[form]).parameters:
            takes = [one for one, known in FORMATS.items() if name in inspect.signature(known).parameters]
            raise ValueError(f"--{name.replace('_', '-')} is for {', '.join(takes)}, not for {form}")
    return together(FORMATS[form](path, **given), path)
