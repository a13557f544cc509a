"""``ralc serve``: a server between an OpenAI client and any OpenAI-compatible server, in calibrated words.

What would fail later ends its start at once, and each worker builds the application of a plan.
"""

import gc
import json
import os
import socket
from typing import Any

import httpx
from starlette.applications import Starlette

from ralc.calibrator import Policy, WordCalibrator
from ralc.english import parse_ahead
from ralc.serve.application import make_app
from ralc.serve.upstream import LOOPBACK, plain_upstream

#: The variable in which workers find the plan; the key stays in its own.
PLAN = "RALC_SERVE"
#: Seconds that an upstream may take to say what models it has.
PATIENCE_S = 10.0


def app() -> Starlette:
    """Return the application of the plan in the environment; a worker calls it."""
    made = planned(json.loads(os.environ[PLAN]))
    parse_ahead(["It is probably so."])  # the first client waits for no model of English
    gc.freeze()  # what is there now stays: nobody need look whether it is garbage
    gc.set_threshold(50_000)  # what a reply leaves goes without a search, but for little
    return made


def planned(plan: dict[str, Any]) -> Starlette:
    """Return the application of a plan: ``calibrators`` (files by model), ``upstream``, ``key_env``, ``settings``."""
    fitted = {model: WordCalibrator.load(path) for model, path in plan["calibrators"].items()}
    key = os.environ.get(plan["key_env"], "")
    settings = dict(plan["settings"])
    settings["policy"] = settings["policy"] and Policy(**settings["policy"])
    return make_app(fitted, plan["upstream"], key=key, **settings)


def check_port(host: str, port: int) -> None:
    """Raise ValueError where nobody can listen there."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
        except OSError as error:
            why = f"nobody can listen at {host}:{port}: {error.strerror}"
            raise ValueError(f"{why}; stop what does, or take another --port or --host") from None


def check_upstream(address: str) -> None:
    """Raise ValueError where an upstream cannot be reached, or has its models under ``/v1`` below its address."""
    base, query = plain_upstream(address)
    base = base.rstrip("/")
    if _models(base, query) == 404 and not base.endswith("/v1") and _models(f"{base}/v1", query) != 404:
        raise ValueError(f"--upstream {base} has no /models, and {base}/v1 has: end it with /v1")


def _models(base: str, query: str) -> int:
    """The status with which an upstream says what models it has."""
    url = httpx.URL(f"{base}/models", query=query.encode() or None)
    try:
        return httpx.get(url, timeout=PATIENCE_S, trust_env=url.host not in LOOPBACK).status_code
    except httpx.HTTPError as error:
        why = f"--upstream {base} cannot be reached ({type(error).__name__})"
        raise ValueError(
            f"{why}: is it running, and the address right? --no-check starts all the same"
        ) from None
