"""A griffe extension for the documentation: docstrings' examples are code. Markdown reads ``>>>`` as a quotation."""

import re
from typing import Any

import griffe

#: Lines from a prompt to the next empty line.
_EXAMPLE = re.compile(r"^>>> .*(?:\n.*\S.*)*", re.MULTILINE)


class DoctestBlocks(griffe.Extension):
    """Fence each example of a docstring."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change the docstring of an object that was just read, before its sections are parsed."""
        if obj.docstring:
            obj.docstring.value = _EXAMPLE.sub(r"```python\n\g<0>\n```", obj.docstring.value)
