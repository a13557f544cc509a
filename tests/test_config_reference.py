"""What is written about the configuration is what the code says, and all of it."""

from pathlib import Path

import jsonschema
import pytest
import yaml
from snakemake.utils import update_config

from tools import config_reference

ROOT = Path(__file__).resolve().parents[1]
PRESETS = sorted((ROOT / "workflow/presets").glob("*.yaml"))


def test_the_committed_reference_is_that_of_the_code(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    config_reference.main()
    for path in (config_reference.SCHEMA, config_reference.PAGE, config_reference.CHOICES_PAGE):
        assert path.read_text() == (ROOT / path).read_text(), (
            f"renew {path}: python -m tools.config_reference"
        )
    assert (ROOT / "config/config.yaml").read_text() == (ROOT / "config.yaml").read_text()


@pytest.mark.parametrize("preset", [None, *PRESETS], ids=lambda path: path.stem if path else "default")
def test_the_schema_takes_what_is_committed_and_refuses_what_is_not_a_key(preset):
    config = yaml.safe_load((ROOT / "config.yaml").read_text())
    if preset:
        update_config(config, yaml.safe_load(preset.read_text()))
    jsonschema.validate(config, config_reference.schema())
    with pytest.raises(jsonschema.ValidationError, match="bogus"):
        jsonschema.validate(config | {"bogus": 1}, config_reference.schema())
