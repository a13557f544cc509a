"""A headless Chromium over WebDriver's plain HTTP, from Debian's packages chromium and chromium-driver."""

import json
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

MISSING = next((name for name in ("chromium", "chromedriver") if shutil.which(name) is None), None)
ARGUMENTS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
]


class Browser:
    """One session: opens files, runs scripts, tells what the console said."""

    def __init__(self, address: str) -> None:
        self.address = address
        options = {"args": ARGUMENTS, "binary": shutil.which("chromium")}
        wanted = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        session = self._post("/session", {"capabilities": {"alwaysMatch": wanted}})
        self.session = f"/session/{session['sessionId']}"

    def open(self, page: Path | str, *, width: int = 1280, height: int = 900) -> None:
        """Open a file, or an address, in a window of this size."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        call = {"cmd": "Emulation.setDeviceMetricsOverride", "params": metrics}
        self._post(f"{self.session}/goog/cdp/execute", call)
        self._post(f"{self.session}/url", {"url": page if isinstance(page, str) else page.resolve().as_uri()})

    def run(self, script: str) -> Any:
        """Return what a script returns."""
        return self._post(f"{self.session}/execute/sync", {"script": script, "args": []})

    def wait(self, script: str, seconds: float = 20) -> None:
        """Wait until a script returns true."""
        end = time.monotonic() + seconds
        while not self.run(script):
            if time.monotonic() > end:
                raise TimeoutError(script)
            time.sleep(0.05)

    def complaints(self) -> list[str]:
        """Return what the console said since the last call, apart from remarks."""
        entries = self._post(f"{self.session}/se/log", {"type": "browser"})
        # The report that Snakemake writes brings its own Tailwind, which warns of itself.
        wanted = (one for one in entries if one["level"] in ("SEVERE", "WARNING"))
        return [one["message"] for one in wanted if "tailwindcss" not in one["message"]]

    def _post(self, path: str, body: dict[str, Any]) -> Any:
        request = urllib.request.Request(
            self.address + path, json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request, timeout=120) as reply:
                return json.load(reply)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{path}: {error.read().decode()[:500]}") from None


@contextmanager
def browser() -> Iterator[Browser]:
    """A browser that ends with the block."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen(["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL) as driver:
        try:
            for _ in range(120):
                try:
                    socket.create_connection(("127.0.0.1", port), 1).close()
                    break
                except OSError:
                    time.sleep(0.25)
            session = Browser(f"http://127.0.0.1:{port}")
            yield session
            end = urllib.request.Request(session.address + session.session, method="DELETE")
            urllib.request.urlopen(end, timeout=60).close()
        finally:
            driver.terminate()
