"""``ralc signals``: what each signal of a run is worth, and what it costs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    import pandas as pd

    from ralc.config import Config


def signals(
    configfile: Annotated[
        list[Path], typer.Option(help="As of snakemake; again for a further overlay.")
    ] = [],  # noqa: B006
    csv: Annotated[Path | None, typer.Option(help="Write the whole table to this file, too.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a row.")] = False,
) -> None:
    """Calls and tokens a question of each signal beside its quality on held-out questions, from a run's own answers.

    The run need not be finished: its samples and clusters are enough, recorded ones too. No model is asked; the
    answers are graded by the run's grader, which may not be a language model.

    \b
    Example:
      ralc signals --configfile workflow/presets/dlm_uncertainty.yaml
    """
    import pandas as pd

    from ralc import io
    from ralc.configfiles import read_config

    config = read_config(configfile)
    table = pd.concat([_of_target(config, target) for target in config.run.targets], ignore_index=True)
    if csv is not None:
        io.write_csv(table, csv)
    print(table.to_json(orient="records", lines=True).rstrip() if as_json else _shown(table))


def _of_target(config: "Config", target: str) -> "pd.DataFrame":
    """The signal_costs table of a target, from the tables of its run."""
    from ralc import io, recorded
    from ralc.pipeline import signal_costs
    from ralc.pipeline.settings import Settings

    out, stage, path = Path(config.outdir), config.stages()["sample"], config.models[target].path
    if not (out / "clusters" / f"{target}.parquet").exists():
        raise ValueError(
            f"{out}: holds no clusters of {target}'s answers: run snakemake with the same --configfile first"
        )
    told = [out / "p_true" / f"{target}.parquet"] if "p_true" in config.run.signals else []
    grader, evaluator, protocol = config.roles.grader, config.roles.evaluator, config.resolved_protocol()
    kept = recorded.read_first([path] if grader.method == "recorded" else [])
    found = signal_costs.compute(
        **{name: io.read_table(out / name / f"{target}.parquet", name) for name in ("samples", "clusters")},
        questions=io.read_tables(
            [out / "questions" / f"{name}.parquet" for name in config.run.datasets], "questions"
        ),
        requests=io.read_requests([out / stage.requests(target)]),
        responses=io.read_tables([out / one for one in stage.responses(target)], "responses"),
        p_true=io.read_tables([path for path in told if path.exists()], "p_true"),
        grading={"method": grader.method, "not_attempted": protocol.not_attempted, "recorded": kept},
        reader={evaluator: config.readers[evaluator].model_dump(mode="json")},
        protocol=protocol,
        method=config.calibration.map,
        settings=Settings(**config.metrics.model_dump() | {"bins": config.bins()}, seed=config.seed),
    )
    return found.assign(target=target)


def _shown(table: "pd.DataFrame") -> str:
    """What the report's table shows, as text."""
    from ralc.report.tables import signal_costs
    from ralc.results.labels import label, number

    wide = signal_costs(table)
    shown = wide.xs("value", axis=1, level="part")
    text = shown.apply(lambda column: [number(value, column.name) for value in column])
    text.columns = [label(name) for name in text.columns]
    text.index = text.index.map(lambda row: tuple(label(name) for name in row))
    return text.to_string()
