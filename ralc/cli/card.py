"""``ralc card``: what a calibrator was fitted on, and how well it does."""

import json
from typing import Annotated

import typer


def card(
    calibrator: Annotated[str, typer.Argument(metavar="FILE", help="A calibrator.")],
    as_json: Annotated[bool, typer.Option("--json", help="The card as one JSON object.")] = False,
) -> None:
    """Show the card of a calibrator: what it was fitted on, its figures, and what they promise.

    \b
    Examples:
      ralc card cal.json
      ralc card results/calibrators/smollm2/worldfacts-qa/semantic_uncertainty.json --json
    """
    from ralc.calibrator import serialization

    saved = serialization.read(calibrator)
    print(json.dumps(saved.card.model_dump(), indent=1) if as_json else serialization.describe(saved))
