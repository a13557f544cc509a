"""Imported by every Python that has this folder on its path: notes what a stub's process opens and loads.

With $RALC_TEST_TRACE, a folder: a file a process, named for its rule, a line a file that it opened or module
that it loaded from the package (as paths below it).
"""

import atexit
import os
import sys

FOLDER = os.environ.get("RALC_TEST_TRACE")
MARK = f"{os.sep}ralc{os.sep}"
opened = set()


def note(event, arguments):
    """Audit hook: remember opened files of the package."""
    if event == "open" and isinstance(arguments[0], str | os.PathLike):
        path = str(os.fspath(arguments[0]))
        # An environment may lie below a folder of the package's name.
        elsewhere = any(part in path for part in ("__pycache__", "site-packages"))
        if MARK in path and not path.endswith((".py", ".pyc")) and not elsewhere:
            opened.add(path.rpartition(MARK)[2])


def write():
    """Write what was used."""
    loaded = [module.__file__ for name, module in list(sys.modules.items()) if name.split(".")[0] == "ralc"]
    job = getattr(sys.modules["__main__"], "snakemake", None)
    if job is None:
        return
    with open(os.path.join(FOLDER, f"{job.rule}.{os.getpid()}"), "w") as file:
        file.write("\n".join({*opened, *(path.rpartition(MARK)[2] for path in loaded)}))


if FOLDER and ".snakemake" in (sys.argv[0] if hasattr(sys, "argv") else " ".join(sys.orig_argv)):
    sys.addaudithook(note)
    atexit.register(write)
