"""The reference of the configuration, written from the typed one: a JSON schema, and a page that explains each key.

    python -m tools.config_reference

renews ``workflow/schemas/config.schema.yaml``, from which the catalog of Snakemake workflows renders its table. It
renews ``config/README.md``, which goes with the configuration where the workflow is deployed. It renews
``config/choices.md``: the choices of the protocols, and what the paper's experiment asks.
"""

import inspect
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from ralc import planning, protocols
from ralc.config import Config, read_config
from ralc.lexicon import load_hedges
from ralc.llm.engines import ENGINES, options_of
from ralc.protocols import PROTOCOLS

SCHEMA = Path("workflow/schemas/config.schema.yaml")
PAGE = Path("config/README.md")
CHOICES_PAGE = Path("config/choices.md")
ROOT = Path(__file__).parents[1]
#: The paper's experiment, and what is ours over it.
PRESETS = {"the paper": ("paper",), "with ours": ("paper", "paper_plus")}
#: Most values that the page lists; more are names of a vocabulary that a page of the documentation has.
LISTED = 8
#: A choice of a protocol, below the comment that says what it is.
_CHOICE = re.compile(r"((?:^    #: .*\n)+)((?:^    \w+: .*\n)+)", re.MULTILINE)
HEAD = """\
# The configuration

After this page you can change what a run does. Write the keys that you change into a file of your own, an overlay:

```yaml
outdir: results/mine                # a key
sampling: {answers: 20}             # a key of a section; the section's other keys stay
run: {signals: [perplexity]}        # a list replaces the whole list
models: {smollm2: {threads: 8}}     # models, datasets and evaluators are named; other names and keys stay
```

`ralc plan --configfile mine.yaml` checks it and says what the run will cost.
`snakemake --cores 2 --configfile mine.yaml` runs it. Several overlays go over each other in their order. Before any job
starts, an error names each unknown key and each value that is not allowed.

An overlay goes over `config.yaml`. The column *default* has the value without that file. Where `config.yaml` sets
another, that one follows.
"""

Schema = dict[str, Any]


def schema() -> Schema:
    """Return the JSON schema of the configuration, without references."""
    whole = Config.model_json_schema()
    definitions = whole.pop("$defs")
    for engine in ENGINES:  # an entry of `models` has the keys of its engine
        own = options_of(engine).model_json_schema()
        definitions["ModelConfig"]["properties"] |= own["properties"]
        definitions |= own.get("$defs", {})
    return {"$schema": "https://json-schema.org/draft/2020-12/schema"} | _resolved(whole, definitions)


def page() -> str:
    """Return the page that explains each key, in Markdown: one table a section, in the order of the code."""
    whole = schema()
    committed = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    parts = [HEAD, *_table("", whole, committed)]
    for name, section in whole["properties"].items():
        kind = _mapped(section) or section
        if "properties" in kind:
            of_each = "" if kind is section else " Each has:"
            values = committed[name] if kind is section else {}
            parts += [f"\n## `{name}`\n\n{_meaning(section)}{of_each}\n", *_table(name, kind, values)]
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


def _table(prefix: str, section: Schema, committed: Mapping[str, Any]) -> Iterator[str]:
    """The keys of a section, and those of the sections in it, as lines of a table."""
    yield "| key | meaning | default | value |\n|---|---|---|---|"
    yield from _rows(section, "" if prefix else None, committed)


def _rows(section: Schema, inner: str | None, committed: Mapping[str, Any]) -> Iterator[str]:
    """One row a key; `inner` is what goes before it, and None where sections have tables of their own.

    `committed` has the values of ``config.yaml``.
    """
    required = section.get("required", ())
    for name, key in section["properties"].items():
        if inner is None and ("properties" in key or _mapped(key)):
            continue
        built_in = section.get("default", {}).get(name, key.get("default"))
        default = "**required**" if name in required and built_in is None else f"`{_plain(built_in)}`"
        if name in committed and committed[name] != built_in:
            default += f"; `config.yaml`: `{_plain(committed[name])}`"
        nested = "properties" in key
        shown = (_meaning(key), "" if nested else default, "section" if nested else _values(key))
        yield (
            "| "
            + " | ".join([f"`{inner or ''}{name}`", *(cell.replace("|", "\\|") for cell in shown)])
            + " |"
        )
        if nested:
            yield from _rows(key, f"{inner}{name}.", committed.get(name) or {})


def _mapped(key: Schema) -> Schema | None:
    """The section that each entry of a mapping by name is, if the key is such a mapping."""
    values = next(iter(key.get("patternProperties", {}).values()), None) or key.get("additionalProperties")
    return values if isinstance(values, dict) and "properties" in values else None


def _values(key: Schema) -> str:
    """What a key may be set to, in words."""
    if len(key.get("enum", ())) > LISTED:
        return "names"
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


def choices() -> str:
    """Return what each choice of the protocols is, what the paper's experiment asks, and its splits, in Markdown."""
    rows = [
        [
            f"`{name}`",
            meaning,
            *(f"`{json.dumps(protocol.choices(name)[name])}`" for protocol in PROTOCOLS.values()),
        ]
        for name, meaning in _meanings().items()
    ]
    plans = {name: _planned(presets) for name, presets in PRESETS.items()}
    stages = [
        [
            f"`{stage}`",
            *(f"{numbers.get(stage, (0, 0))[part]:,.0f}" for numbers in plans.values() for part in (0, 1)),
        ]
        for stage in plans["with ours"]
    ]
    config = read_config([_preset("paper")], base=ROOT / "config.yaml")
    splits = [[name, f"{size.train:,}", f"{size.test:,}"] for name, size in planning.sizes(config).items()]
    columns = [f"{name}: {unit}" for name in plans for unit in ("calls", "GPU-hours")]
    return (
        "\n\n".join(
            [
                "### The choices",
                _markdown(["choice", "what it is", *PROTOCOLS], rows),
                "### The questions",
                _markdown(["dataset", "train", "test"], splits),
                "### What is asked, by stage",
                _markdown(["stage", *columns], stages),
            ]
        )
        + "\n"
    )


def _meanings() -> dict[str, str]:
    """What each choice is, from the comments in the code."""
    found = {}
    for comment, fields in _CHOICE.findall(inspect.getsource(protocols.Protocol)):
        text = " ".join(line.strip().removeprefix("#: ") for line in comment.splitlines())
        found |= {field.partition(":")[0].strip(): text.replace("``", "`") for field in fields.splitlines()}
    return {name: found[name] for name in protocols.CHOICES}


def _preset(name: str) -> Path:
    return ROOT / f"workflow/presets/{name}.yaml"


def _planned(presets: Sequence[str]) -> dict[str, tuple[float, float]]:
    """Calls and GPU-hours of each stage under some presets, and of all."""
    config = read_config([_preset(name) for name in presets], base=ROOT / "config.yaml")
    table = planning.plan(
        config, planning.sizes(config), len(load_hedges(config.lexicon.path, voice=config.voice()))
    )
    sums = table.groupby("stage", sort=False)[["calls", "hours"]].sum()
    sums.loc["all"] = sums.sum()
    return {stage: (row["calls"], row["hours"]) for stage, row in sums.iterrows()}


def _markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main() -> None:
    """Write all, below the current folder."""
    text = yaml.safe_dump(schema(), sort_keys=False, allow_unicode=True, width=110)
    written = {
        SCHEMA: f"# Written by `python -m tools.config_reference`.\n{text}",
        PAGE: page(),
        CHOICES_PAGE: choices(),
    }
    for path, content in written.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()
