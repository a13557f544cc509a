"""``ralc plan``: what a run will ask of its models, before anything is spent."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    import pandas as pd

    from ralc.config import Config


def plan(
    configfile: Annotated[
        list[Path], typer.Option(help="As of snakemake; again for a further overlay.")
    ] = [],  # noqa: B006
    record: Annotated[
        Path | None, typer.Option(help="The folder of a run's record: plan that run, made again from it.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line of the plan.")] = False,
) -> None:
    """Calls, tokens, hours, money and disk of a run, by part, stage and model; what its journals have is taken off.

    Then the same by stage, by part, and in all. No data and no model is needed. Calls are at most so many (equal
    requests are sent once); tokens and what follows from them rest on the assumptions in ralc/planning.py.

    \b
    Example:
      ralc plan --configfile workflow/presets/paper.yaml
      ralc plan --record results/paper/record
    """
    from ralc import planning
    from ralc.configfiles import read_config
    from ralc.lexicon import load_hedges

    config = read_config([*([record / "config.json"] if record else []), *configfile])
    hedges = len(load_hedges(config.lexicon.path, extend=config.lexicon.extend))
    table = planning.plan(config, planning.sizes(config), hedges, planning.answered(config))
    if as_json:
        print(table.to_json(orient="records", lines=True).rstrip())
    else:
        print("no model is asked" if table.empty else _shown(table, config))


def _shown(table: "pd.DataFrame", config: "Config") -> str:
    """A plan as text: its lines, the sums of each stage and of each part, and that of all."""
    import pandas as pd

    from ralc.planning import PEOPLE

    sums = [
        table.groupby(by, sort=False).sum(numeric_only=True, min_count=1).reset_index()
        for by in ("stage", "part")
    ]
    whole = table.sum(numeric_only=True, min_count=1).to_frame().T.assign(part="all")
    everything = pd.concat([table, *sums, whole], ignore_index=True)
    lines = everything.fillna({"part": "", "stage": "", "model": ""}).to_string(
        index=False,
        na_rep="",
        formatters={
            **dict.fromkeys(["calls", "answered", "requests"], lambda value: f"{value:,.0f}"),
            **dict.fromkeys(["prompt_tokens", "completion_tokens"], lambda value: f"{value / 1e6:,.1f} M"),
            **dict.fromkeys(["hours", "cost", "gigabytes"], lambda value: f"{value:,.2f}"),
        },
    )
    note = "Calls are at most so many; tokens, hours (of a GPU or a CPU thread) and disk are estimates."
    people = "" if config.people.data else f"\n{PEOPLE}: not asked (people.data is not set)"
    return f"protocol {config.resolved_protocol().label}\n{lines}\n{note}{people}"
