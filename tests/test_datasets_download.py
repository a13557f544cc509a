"""Official files fetched by their addresses, without a network."""

from pathlib import Path

import pooch
import pytest
import requests
import yaml

from ralc import datasets
from ralc.config import Config
from ralc.datasets.download import SOURCES, fetched

DATA = Path(__file__).parent / "data"
PRESETS = Path(__file__).parents[1] / "workflow" / "presets"


def test_a_dataset_without_a_path_is_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def retrieve(url: str, known_hash: str, fname: str, path: Path, processor: object) -> None:
        asked.append((url, known_hash, processor is not None))
        path.mkdir(parents=True, exist_ok=True)
        (path / fname).write_bytes((DATA / "squad2_tiny.json").read_bytes())

    monkeypatch.setattr(pooch, "retrieve", retrieve)
    monkeypatch.setattr(pooch, "os_cache", lambda name: tmp_path / name)
    assert len(datasets.load("squad2")) == 3
    assert asked == [(SOURCES["squad2"].url, f"sha256:{SOURCES['squad2'].sha256}", False)]
    assert fetched("mmlu") == tmp_path / "ralc/mmlu/data/test"


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            requests.ConnectionError("no"),
            "cannot be fetched .ConnectionError.; download it elsewhere and give its",
        ),
        (ValueError("hash differs"), "is not the file with SHA-256 80a5225e"),
    ],
)
def test_what_cannot_be_had_is_named(error: Exception, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def retrieve(*args: object, **kwargs: object) -> None:
        raise error

    monkeypatch.setattr(pooch, "retrieve", retrieve)
    with pytest.raises(ValueError, match=said):
        fetched("squad2")
    with pytest.raises(ValueError, match="truthfulqa: has no stable address"):
        fetched("truthfulqa")


def test_the_preset_of_the_benchmarks_is_a_configuration() -> None:
    preset = yaml.safe_load((PRESETS / "benchmarks.yaml").read_text())
    config = Config.model_validate(preset)
    assert config.run.datasets == ["mmlu", "squad2", "truthfulqa"]
    assert all(config.datasets[name].questions == 60 for name in config.run.datasets)
