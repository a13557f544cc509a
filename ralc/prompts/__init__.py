"""The prompts of the paper, as Jinja templates with its placeholders, and short ones for small models.

A template without blocks is one user message. A template with blocks is a conversation: each block is a
message of the role that its name begins with (``system``, ``user_1``, ``assistant_1``, ``user``), in the
order of the file; an assistant message at the end is a beginning to be continued.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # who asks no model does not wait for templates to load
    from jinja2 import Environment, Template

#: Messages of a chat: dicts of ``role`` and ``content``.
Messages = tuple[dict[str, str], ...]


@cache
def _environment() -> Environment:
    """The one Jinja environment; it never escapes (prompts are plain text) and knows no undefined value."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("ralc", "prompts"),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def names() -> list[str]:
    """Return the names of all prompts, sorted."""
    return sorted(name.removesuffix(".j2") for name in _environment().list_templates(extensions=["j2"]))


@cache
def _template(name: str) -> Template:
    """The compiled template of a prompt."""
    from jinja2 import TemplateNotFound

    try:
        return _environment().get_template(f"{name}.j2")
    except TemplateNotFound:
        raise ValueError(f"unknown prompt {name!r}; known: {', '.join(names())}") from None


def render(name: str, **values: Any) -> str:
    """Return the text of a prompt that is one user message.

    Raises
    ------
    ValueError
        If there is no such prompt, or it is a conversation (see `messages`).
    jinja2.UndefinedError
        If a placeholder has no value.

    Examples
    --------
    >>> render("rewrite", response="Paris.", hedges="probably").splitlines()[3]
    'Original response: My answer to the question is: "Paris."'
    """
    template = _template(name)
    if template.blocks:
        raise ValueError(f"prompt {name!r} is a conversation of {', '.join(template.blocks)}: use messages()")
    return template.render(**values).strip()


def messages(name: str, **values: Any) -> Messages:
    """Return a prompt as the messages of a chat.

    Raises
    ------
    ValueError
        If there is no such prompt.
    jinja2.UndefinedError
        If a placeholder has no value.

    Examples
    --------
    >>> [message["role"] for message in messages("direct_qa_short_answer", question="Who?")]
    ['user']
    """
    template = _template(name)
    if not template.blocks:
        return ({"role": "user", "content": render(name, **values)},)
    return tuple(
        {"role": name.split("_")[0], "content": _block(template, name, values)} for name in template.blocks
    )


def _block(template: Template, name: str, values: Mapping[str, Any]) -> str:
    """The text of one message of a conversation."""
    return "".join(template.blocks[name](template.new_context(dict(values)))).strip()
