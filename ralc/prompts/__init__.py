"""The prompts of the paper, as Jinja templates with its placeholders, and short ones for small models.

A template without blocks is one user message. A template with blocks is a conversation. Each block is a
message of the role that its name begins with (``system``, ``user_1``, ``assistant_1``, ``user``), in the
order of the file. An assistant message at the end is a beginning to be continued.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # who asks no model does not wait for templates to load
    from jinja2 import Template

#: Messages of a chat: dicts of ``role`` and ``content``.
Messages = tuple[dict[str, str], ...]


def messages(name: str, **values: Any) -> Messages:
    """Return a prompt as the messages of a chat.

    Raises
    ------
    jinja2.TemplateNotFound
        If there is no such prompt.
    jinja2.UndefinedError
        If a placeholder has no value.

    Examples
    --------
    >>> (message,) = messages("rewrite", response="Paris.", hedges="probably")
    >>> message["content"].splitlines()[3]
    'Original response: My answer to the question is: "Paris."'
    """
    template = _template(name)
    if not template.blocks:
        return ({"role": "user", "content": template.render(**values).strip()},)
    contents = {
        block: "".join(lines(template.new_context(dict(values)))).strip()
        for block, lines in template.blocks.items()
    }
    return tuple({"role": block.split("_")[0], "content": text} for block, text in contents.items())


def conversation(history: Iterable[Mapping[str, str]], prompt: Messages) -> Messages:
    """Return a prompt with a history before its question, as messages of one chat.

    The instructions and examples of the prompt stay in front. A system's message that begins the history takes the
    place of the prompt's own, since a chat has one.

    Examples
    --------
    >>> history = [{"role": "user", "content": "Capital of Peru?"}, {"role": "assistant", "content": "Lima."}]
    >>> [part["content"] for part in conversation(history, ({"role": "user", "content": "Are you sure?"},))]
    ['Capital of Peru?', 'Lima.', 'Are you sure?']
    """
    before = [dict(message) for message in history]
    place = max(at for at, message in enumerate(prompt) if message["role"] == "user")
    head = list(prompt[:place])
    if before and before[0]["role"] == "system":
        head = [before.pop(0), *(message for message in head if message["role"] != "system")]
    return (*head, *before, *prompt[place:])


@cache
def _template(name: str) -> Template:
    """The compiled template of a prompt; it never escapes, and knows no undefined value."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader("ralc", "prompts")
    how = {"undefined": StrictUndefined, "autoescape": False, "trim_blocks": True, "lstrip_blocks": True}
    return Environment(loader=loader, **how).get_template(f"{name}.j2")
