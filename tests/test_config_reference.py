"""What is written about the configuration is what the code says, and all of it."""

from pathlib import Path

import jsonschema
import pytest
import yaml
from snakemake.utils import update_config

from tools import config_reference

ROOT = Path(__file__).resolve().parents[1]
PRESETS = sorted((ROOT / "workflow/presets").glob("*.yaml"))


def keys(section, prefix=""):
    """Every key of a section and of the sections in it, with its schema."""
    for name, key in section.get("properties", {}).items():
        yield f"{prefix}{name}", key
        yield from keys(config_reference._mapped(key) or key, f"{prefix}{name}.")


def test_the_committed_reference_is_that_of_the_code(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    config_reference.main()
    for path in (config_reference.SCHEMA, config_reference.PAGE, config_reference.CHOICES_PAGE):
        assert path.read_text() == (ROOT / path).read_text(), (
            f"renew {path}: python -m tools.config_reference"
        )


def test_every_key_is_explained_and_has_its_row():
    described = dict(keys(config_reference.schema()))
    assert len(described) > 80
    assert [name for name, key in described.items() if not key.get("description")] == []
    page = config_reference.page()
    for name in described:
        assert f"`{name.rpartition('.')[2]}`" in page or f".{name.rpartition('.')[2]}`" in page, name


@pytest.mark.parametrize("preset", [None, *PRESETS], ids=lambda path: path.stem if path else "default")
def test_the_schema_takes_what_is_committed_and_refuses_what_is_not_a_key(preset):
    config = yaml.safe_load((ROOT / "config.yaml").read_text())
    if preset:
        update_config(config, yaml.safe_load(preset.read_text()))
    jsonschema.validate(config, config_reference.schema())
    with pytest.raises(jsonschema.ValidationError, match="bogus"):
        jsonschema.validate(config | {"bogus": 1}, config_reference.schema())


def test_a_range_an_option_and_a_list_are_said_in_words():
    assert (
        config_reference._values({"type": "integer", "minimum": 1, "maximum": 1000000})
        == "integer ≥ 1, ≤ 1,000,000"
    )
    assert (
        config_reference._values({"anyOf": [{"enum": ["a", "b"]}, {"type": "null"}]}) == "`a` | `b` or null"
    )
    assert config_reference._values({"type": "array", "items": {"type": "string"}}) == "list of string"


def test_what_is_deployed_is_the_configuration_itself():
    assert (ROOT / "config/config.yaml").read_text() == (ROOT / "config.yaml").read_text()
    assert set(yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text())) == {"usage"}
