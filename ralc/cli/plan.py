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
    csv: Annotated[Path | None, typer.Option(help="Write the lines to this file, too.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line of the plan.")] = False,
) -> None:
    """Calls, tokens, hours, money and disk of a run, by part, stage and model; what its journals have is taken off.

    Then the same by stage, by part, and in all.

    No data and no model is needed. Calls are at most so many (equal requests are sent once); tokens and what
    follows from them rest on the assumptions in ralc/planning.

    \b
    Example:
      ralc plan --configfile workflow/presets/paper.yaml
      ralc plan --record results/paper/record
    """
    from ralc import io, planning
    from ralc.configfiles import read_config

    config = read_config([*([record / "config.json"] if record else []), *configfile])
    done, sizes, expected = planning.answered(config), planning.sizes(config), planning.expected(config)
    table = planning.plan(config, sizes, planning.lexicon_size(config), done, expected)
    if as_json:
        print(table.to_json(orient="records", lines=True).rstrip())
    else:
        print(shown(table, config, expected))
        alone = planning.of_signals(config, sizes, expected)
        if len(alone):
            print(f"\nEach signal, if no other were asked for:\n{_formatted(alone.drop(columns='answered'))}")
        if len(table):
            print(_of_the_run(planning.unanswered(config), config.outdir), end="")
    if csv is not None:
        io.write_csv(table, csv)


def shown(table: "pd.DataFrame", config: "Config", expected: dict[str, float]) -> str:
    """A plan as text: its lines, the sums of each stage and of each part, and that of all."""
    import pandas as pd

    from ralc.planning import PEOPLE, SPEED

    if table.empty:
        return "no model is asked"
    sums = [
        table.groupby(by, sort=False).sum(numeric_only=True, min_count=1).reset_index()
        for by in ("stage", "part")
    ]
    whole = table.sum(numeric_only=True, min_count=1).to_frame().T.assign(part="all")
    everything = pd.concat([table, *sums, whole], ignore_index=True)
    everything = everything.fillna({"part": "", "stage": "", "model": ""})
    lines = _formatted(everything).splitlines()
    for below in (len(table) + len(sums[0]), len(table)):
        lines.insert(1 + below, "")
    people = "" if config.people.data else f"\n{PEOPLE}: not asked (people.data is not set)"
    engines = {config.models[model].engine for model in table["model"]} & set(SPEED)
    hours = " or ".join(sorted({"CPU thread" if engine == "embedded" else "GPU" for engine in engines}))
    note = f"Calls are at most so many; tokens, hours{f' (of a {hours})' if hours else ''} and disk are estimates."
    note += "".join(f"\n{line}" for line in _of_rounds(config, expected))
    return "\n".join([f"protocol {config.resolved_protocol().label}", *lines, note + people])


def _of_rounds(config: "Config", expected: dict[str, float]) -> list[str]:
    """How many answers a question is counted with, where they are asked for in rounds."""
    sampling = config.sampling
    least = f"{sampling.rounds[0]} where the majority is settled by then" if sampling.rounds else ""
    return [
        f"sample: {target}: {expected[target]:.1f} of {sampling.answers} answers a question, as an earlier run's took."
        if target in expected
        else f"sample: {target}: as if every question took {sampling.answers} answers; it takes {least}."
        for target in (config.run.targets if sampling.rounds else ())
    ]


def _of_the_run(missing: int | None, folder: str) -> str:
    """What the run in the folder has still to ask, as far as it has come; empty where it has not come to its end."""
    if missing is None:
        return ""
    left = f"{missing:,} of its answers are missing" if missing else "nothing more is asked"
    return (
        f"\nThe run in {folder} has made all of its requests: while its configuration stays, {left}. "
        "What is counted above beyond them are equal requests, sent once, or such as were not needed.\n"
    )


def _formatted(table: "pd.DataFrame") -> str:
    """Lines of a plan as text."""
    return table.to_string(
        index=False,
        na_rep="",
        formatters={
            **dict.fromkeys(["calls", "answered", "requests"], lambda value: f"{value:,.0f}"),
            **dict.fromkeys(["prompt_tokens", "completion_tokens"], lambda value: f"{value / 1e6:,.1f} M"),
            **dict.fromkeys(["hours", "cost", "gigabytes"], lambda value: f"{value:,.2f}"),
        },
    )
