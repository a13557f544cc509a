"""What `ralc serve` says of itself: its log, its counters and its health."""

import json
import re

import httpx
import pytest
from starlette.responses import JSONResponse

from tests.serving import Stub, ask, before, calibrator, running, served

KEYS = {"Authorization": "Bearer sk-secret", "X-Ralc-Key": "door-key", "Cookie": "session=s3"}


def counted(address: str) -> dict[str, float]:
    """What /metrics says, by series."""
    reply = httpx.get(f"{address}/metrics", trust_env=False)
    assert reply.headers["content-type"].startswith("text/plain; version=0.0.4")
    lines = [line for line in reply.text.splitlines() if not line.startswith("#")]
    assert all(re.fullmatch(r'[a-z_]+(\{[a-z]+="[^"]+"\})? [0-9.e+-]+', line) for line in lines)
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


@pytest.mark.parametrize("texts", [False, True])
def test_each_reply_is_a_line_without_keys_and_texts_only_where_asked_for(tmp_path, texts):
    log = tmp_path / "replies.jsonl"
    stub = Stub()
    with served(stub, key="door-key", log=str(log), log_texts=texts) as address:
        whole = ask(address, headers=KEYS)
        stream = ask(address, {"stream": True}, headers=KEYS)
        passed = ask(address, {"ralc": {"calibrate": False}, "stream": True}, headers=KEYS)
        stub.fault = JSONResponse({"error": {"message": "Incorrect API key provided: sk-secret"}}, 401)
        ask(address, headers=KEYS)
        httpx.post(f"{address}/v1/chat/completions", json={}, headers=KEYS, trust_env=False)
        series = counted(address)
    told = log.read_text()
    first, second, third = map(json.loads, told.splitlines())
    assert [first["id"], second["id"], third["id"]] == [
        reply.headers["x-ralc-request-id"] for reply in (whole, stream, passed)
    ]
    ralc = whole.json()["ralc"]
    assert first["id"] == ralc["id"]
    for name in ("signal", "confidence", "target", "read", "door", "samples"):
        assert first[name] == second[name] == ralc[name]
    assert whole.headers["x-ralc-confidence"] == f"{ralc['target']:g}"
    assert first["streamed"] is False
    assert second["streamed"] is True
    assert first["completion_tokens"] == 9
    assert third["door"] == "passed"
    assert third["reason"] == "the request says so"
    assert third["target"] is None
    assert not re.search("secret|door-key|s3", told)
    assert ("Lima" in told, "Peru" in told) == (texts, texts)
    assert series['ralc_responses_total{status="2xx"}'] == 3
    assert series['ralc_responses_total{status="4xx"}'] == 2
    assert series['ralc_replies_total{door="hedge"}'] == series["ralc_confidence_count"] == 2
    assert series["ralc_confidence_sum"] == pytest.approx(2 * ralc["target"])
    assert series['ralc_reply_seconds_bucket{le="+Inf"}'] == series["ralc_reply_seconds_count"] == 3
    inside = [series[f'ralc_confidence_bucket{{le="{edge / 10:g}"}}'] for edge in range(1, 11)]
    assert inside == [2.0 * (ralc["target"] <= edge / 10) for edge in range(1, 11)]


def test_the_counters_are_those_of_all_processes(tmp_path):
    with served(Stub(), counts=str(tmp_path)) as one, served(Stub(), counts=str(tmp_path)) as other:
        for address in (one, other, other):
            ask(address)
        assert counted(one) == counted(other)
        assert counted(one)["ralc_reply_seconds_count"] == 3


def test_an_upstream_s_words_are_in_no_line(tmp_path):
    class Refusing(Stub):
        """Refuses samples, in words that name a key."""

        async def complete(self, request):
            if (await request.json()).get("n", 1) > 1:
                return JSONResponse({"error": {"message": "Incorrect API key: sk-secret"}}, 401)
            return await super().complete(request)

    log = tmp_path / "replies.jsonl"
    with served(Refusing(), calibrator(asked=3, own_answer=True), own_answer=True, log=str(log)) as address:
        assert "sk-secret" in ask(address).json()["ralc"]["reason"]
    assert json.loads(log.read_text())["reason"] == "its samples failed"
    assert "secret" not in log.read_text()


def test_a_log_that_cannot_be_written_ends_the_start_and_no_reply(tmp_path):
    with pytest.raises(OSError, match="nowhere"), served(Stub(), log=str(tmp_path / "nowhere" / "x.jsonl")):
        pass
    folder = tmp_path / "logs"
    folder.mkdir()
    with served(Stub(), log=str(folder / "replies.jsonl")) as address:
        (folder / "replies.jsonl").unlink()
        (folder / "replies.jsonl").mkdir()
        assert ask(address).json()["ralc"]["calibrated"]


def test_health_asks_the_upstream_where_it_is_told_to():
    with running(Stub().app) as behind, before(f"{behind}/v1") as address:
        assert httpx.get(f"{address}/healthz", trust_env=False).json()["status"] == "ok"
        told = httpx.get(f"{address}/healthz?upstream", trust_env=False)
        assert told.status_code == 200
        assert told.json()["status"] == "ok"
    with before("http://127.0.0.1:9/v1") as address:
        assert httpx.get(f"{address}/healthz", trust_env=False).status_code == 200
        told = httpx.get(f"{address}/healthz?upstream", trust_env=False)
    assert told.status_code == 503
    assert told.json()["status"] == "the upstream does not answer"
