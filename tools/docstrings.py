"""A griffe extension for the documentation: docstrings as Markdown needs them.

Examples are fenced, since Markdown reads ``>>>`` as a quotation. Parameters that share a description have an entry
each, so that each is shown with its own default.
"""

import re
from typing import Any

import griffe

#: Lines from a prompt to the next empty line.
_EXAMPLE = re.compile(r"^>>> .*(?:\n.*\S.*)*", re.MULTILINE)
#: The entries of a numpydoc section, up to an empty line.
_PARAMETERS = re.compile(r"(?<=^Parameters\n----------\n)(?:.+\n?)+", re.MULTILINE)
#: An entry with several names: names, type, description.
_SHARED = re.compile(r"^(\w+(?:, \w+)+)( : .*)?\n((?:    .*\n?)+)", re.MULTILINE)


class Docstrings(griffe.Extension):
    """Change each docstring before its sections are parsed."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change the docstring of an object that was just read."""
        if obj.docstring:
            text = _PARAMETERS.sub(lambda section: _SHARED.sub(_apart, section[0]), obj.docstring.value)
            obj.docstring.value = _EXAMPLE.sub(r"```python\n\g<0>\n```", text)


def _apart(entry: re.Match[str]) -> str:
    names, kind, description = entry.groups("")
    return "\n".join(f"{name}{kind}\n{description.rstrip()}" for name in names.split(", ")) + "\n"
