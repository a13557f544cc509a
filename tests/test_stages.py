"""Who is asked what: the stages of a configuration."""

from pathlib import Path

import pytest
import yaml

from ralc.config import parse_config
from tests.test_config import changed

ROOT = Path(__file__).parents[1]


@pytest.fixture
def mapping():
    """The default configuration."""
    return yaml.safe_load((ROOT / "config.yaml").read_text())


def test_the_embedded_default_asks_its_one_model(mapping):
    asked = {
        name: list(stage.models) for name, stage in parse_config(mapping).stages().items() if stage.models
    }
    reads = ("read_answers", "read_rewrites")  # the embedding regression does
    assert asked == {name: ["smollm2"] for name in ("sample", *reads)}  # guided rewriting asks nobody


def test_people_are_read_where_their_studies_are_given(mapping):
    assert "read_people" not in parse_config(mapping).stages()
    assert "read_people" in parse_config(changed(mapping, "people.data", "studies")).stages()


def test_shards_are_by_stage_and_model(mapping):
    found = parse_config(changed(mapping, "models.smollm2.shards", {"sample": 3})).stages()
    assert found["sample"].models == {"smollm2": 3}
    assert found["read_rewrites"].models == {"smollm2": 1}
    assert len(found["sample"].responses("smollm2")) == 3
