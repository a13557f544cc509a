"""The reference of the configuration, written from the typed one: a JSON schema, and a page that explains each key.

    python -m ralc.reference

renews ``workflow/schemas/config.schema.yaml``, from which the catalog of Snakemake workflows renders its table, and
``config/README.md``, which goes with the configuration where the workflow is deployed.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from ralc.config import Config

SCHEMA, PAGE = Path("workflow/schemas/config.schema.yaml"), Path("config/README.md")
HEAD = """\
# The configuration

`config.yaml` says what runs. Presets go over it (`snakemake --configfile workflow/presets/smoke.yaml`): mappings are
merged key by key, a list replaces the list. Unknown keys are errors, and every error names the key, the value and what
is allowed, before any job starts. What follows is written from the code (`python -m ralc.reference`), where the
defaults are; `config.yaml` itself sets some keys otherwise, for the small model that it runs.
"""

Schema = dict[str, Any]


def schema() -> Schema:
    """Return the JSON schema of the configuration, without references."""
    whole = Config.model_json_schema()
    definitions = whole.pop("$defs")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema"} | _resolved(whole, definitions)


def page() -> str:
    """Return the page that explains each key, in Markdown: one table a section, in the order of the code."""
    whole = schema()
    parts = [HEAD, *_table("", whole)]
    for name, section in whole["properties"].items():
        kind = _mapped(section) or section
        if "properties" in kind:
            of_each = "" if kind is section else " Of each:"
            parts += [f"\n## `{name}`\n\n{_meaning(section)}{of_each}\n", *_table(name, kind)]
    return "\n".join(parts) + "\n"


def _resolved(part: Any, definitions: Schema) -> Any:
    """A part of a schema with what it refers to in its place, and without titles, which repeat the names."""
    if isinstance(part, list):
        return [_resolved(one, definitions) for one in part]
    if not isinstance(part, dict):
        return part
    target = definitions[part["$ref"].rpartition("/")[2]] if "$ref" in part else {}
    merged = {**target, **{key: value for key, value in part.items() if key != "$ref"}}
    return {
        key: _resolved(value, definitions)
        for key, value in merged.items()
        if not (key == "title" and isinstance(value, str))
    }


def _table(prefix: str, section: Schema) -> Iterator[str]:
    """The keys of a section, and those of the sections in it, as lines of a table."""
    yield "| key | value | default | meaning |\n|---|---|---|---|"
    yield from _rows(section, "" if prefix else None)


def _rows(section: Schema, inner: str | None) -> Iterator[str]:
    """One row a key; `inner` is what goes before it, and None where sections have tables of their own."""
    required = section.get("required", ())
    for name, key in section["properties"].items():
        if inner is None and ("properties" in key or _mapped(key)):
            continue
        default = "**required**" if name in required else f"`{_plain(key.get('default'))}`"
        nested = "properties" in key
        shown = ("section" if nested else _values(key), "" if nested else default, _meaning(key))
        yield (
            "| "
            + " | ".join([f"`{inner or ''}{name}`", *(cell.replace("|", "\\|") for cell in shown)])
            + " |"
        )
        if nested:
            yield from _rows(key, f"{inner}{name}.")


def _mapped(key: Schema) -> Schema | None:
    """The section that each entry of a mapping by name is, if the key is such a mapping."""
    values = next(iter(key.get("patternProperties", {}).values()), None) or key.get("additionalProperties")
    return values if isinstance(values, dict) and "properties" in values else None


def _values(key: Schema) -> str:
    """What a key may be set to, in words."""
    if "enum" in key:
        return " | ".join(f"`{value}`" for value in key["enum"])
    if "anyOf" in key:
        return " or ".join(_values(one) for one in key["anyOf"])
    if key.get("type") == "array":
        return f"list of {_values(key['items'])}"
    return _range({"object": "mapping", "null": "null"}.get(key.get("type", ""), key.get("type", "any")), key)


def _range(kind: str, key: Schema) -> str:
    """A kind of number, and the range it lies in."""
    signs = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}
    return (
        f"{kind} {', '.join(f'{sign} {key[name]:,}' for name, sign in signs.items() if name in key)}".strip()
    )


def _meaning(key: Schema) -> str:
    return " ".join(key.get("description", "").split())


def _plain(value: Any) -> str:
    """A default as it would stand in the file."""
    return yaml.safe_dump(value, default_flow_style=True, width=1000).removesuffix("...\n").strip()


def main() -> None:
    """Write both, below the current folder."""
    text = yaml.safe_dump(schema(), sort_keys=False, allow_unicode=True, width=110)
    for path, content in ((SCHEMA, f"# Written by `python -m ralc.reference`.\n{text}"), (PAGE, page())):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()
