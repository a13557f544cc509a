"""HTML pages from templates: self-contained, one design, everything that is put in is escaped."""

import base64
import hashlib
from functools import cache
from importlib import resources
from typing import Any

import jinja2


@cache
def _environment() -> jinja2.Environment:
    folder = resources.files("ralc.report") / "templates"
    loader = jinja2.FunctionLoader(lambda name: (folder / name).read_text(encoding="utf-8"))
    # Model output is shown: escaping is on for every template, whatever its name.
    return jinja2.Environment(
        loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )


@cache
def _script_hash() -> str:
    """The one script that a page may run, as the policy in its head names it: nothing that a model wrote can."""
    script = _environment().get_template("page.js").render()
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def page(template: str, **values: Any) -> str:
    """Return a whole HTML page: `template` of this package filled with `values`, which are escaped unless Markup."""
    return _environment().get_template(template).render(script_hash=_script_hash(), **values)
