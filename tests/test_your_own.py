"""What the page of your own questions, models and samples shows is what there is."""

import re
from pathlib import Path

import pytest
import yaml

from ralc.config import merged, parse_config

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs/your_own.md").read_text(encoding="utf-8")
CONFIG = yaml.safe_load((ROOT / "config.yaml").read_text())
BLOCKS = re.findall(r"```yaml\n(.*?)```", PAGE, flags=re.DOTALL)


def test_the_servers_preset_is_shown_as_it_is_and_asks_it_in_every_role():
    preset = (ROOT / "workflow/presets/server.yaml").read_text(encoding="utf-8")
    assert any(block.strip() in preset for block in BLOCKS if "base_url" in block)
    settings = parse_config(merged(CONFIG, yaml.safe_load(preset)))
    for role in ("clusterer", "grader", "evaluator", "rewriter"):
        assert settings.models_of(role) == ["mine"]
    assert settings.run.targets == ["mine"]
    assert settings.models["mine"].identity == "qwen3-8b@bf16"


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.split(":")[0])
def test_every_overlay_that_is_shown_is_one(block):
    needed = {"datasets": {"mine": {"path": "q.csv"}}}
    parse_config(merged(merged(CONFIG, needed), yaml.safe_load(block)))
