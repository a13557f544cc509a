"""A siege: `ralc serve` in a process of its own, attacks at random for some seconds, and a table of what came back."""

import asyncio
import random
import re
import socket
import subprocess
import sys
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from tests.attacker.attacks import ATTACKS, CROWD, MEETINGS, WELL, send
from tests.attacker.upstream import serve
from tests.serving import calibrator

AT_ONCE = 12  # attackers
REST = 5.0  # seconds between two crowds, which let nobody else in
PAGE = 4096


@dataclass
class Siege:
    """What came back of each attack, the seconds that the slowest took, and the memory of the server, in MB."""

    told: dict[str, Counter] = field(default_factory=lambda: defaultdict(Counter))
    slowest: Counter = field(default_factory=Counter)
    memory: list[float] = field(default_factory=list)
    log: str = ""

    def faults(self) -> list[str]:
        """What must not be."""
        bad = [(name, one) for name, told in self.told.items() for one in told if one in ("500", "refused")]
        bad += [(name, one) for name in MEETINGS for one in self.told[name] if one.startswith("NOT")]
        bad += [(WELL, one) for one in self.told[WELL] if one != "200"]
        bad += [("log", line) for line in re.findall(r".*(?:Traceback|a request failed).*", self.log)]
        return [f"{name}: {one}" for name, one in bad]

    def table(self) -> str:
        """A row an attack, in Markdown."""
        lines = ["| attack | tries | what came back | slowest, s |", "|---|---|---|---|"]
        for name, told in sorted(self.told.items()):
            came = ", ".join(f"{status}: {count}" for status, count in told.most_common())
            lines.append(f"| {name} | {told.total()} | {came} | {self.slowest[name]:.0f} |")
        tenth = max(len(self.memory) // 10, 1)
        memory = ", ".join(f"{value:.0f}" for value in [*self.memory[::tenth], self.memory[-1]])
        return "\n".join([*lines, "", f"RSS, MB: {memory}; most {max(self.memory):.0f}", *self.faults()])


def started(folder: Path, upstream: int) -> tuple[subprocess.Popen, int]:
    """`ralc serve` and its port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    calibrator().save(folder / "cal.json")
    command = [sys.executable, "-c", "from ralc.cli.app import main; main()", "serve"]
    command += ["--calibrator", str(folder / "cal.json"), "--upstream", f"http://127.0.0.1:{upstream}/v1"]
    command += ["--port", str(port), "--samples", "3", "--timeout", "15"]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, stderr=log)
    while process.poll() is None and b"ralc serves" not in (folder / "log").read_bytes():
        time.sleep(0.1)
    return process, port


def resident(pid: int) -> float:
    """The memory of a process, in MB."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE / 1e6


async def besieged(folder: Path, seconds: float, seed: int = 0) -> Siege:
    """Attack for some seconds."""
    siege, rng = Siege(), random.Random(seed)
    async with await asyncio.start_server(serve, "127.0.0.1", 0, limit=1 << 26) as behind:
        process, port = await asyncio.to_thread(started, folder, behind.sockets[0].getsockname()[1])
        until, address = time.monotonic() + seconds, ("127.0.0.1", port)

        async def attacker(names: list[str]) -> None:
            while time.monotonic() < until and process.poll() is None:
                name, begun = rng.choice(names), time.monotonic()
                if name in ATTACKS:
                    sent = await send(address, ATTACKS[name](rng))
                else:
                    sent = await MEETINGS[name](address, rng)
                siege.told[name][sent.status] += 1
                siege.slowest[name] = max(siege.slowest[name], time.monotonic() - begun)
                siege.memory.append(resident(process.pid))
                await asyncio.sleep(REST if name == CROWD else 0)

        try:
            hands = [[*ATTACKS]] * AT_ONCE + [[name] for name in MEETINGS]
            await asyncio.gather(*(attacker(names) for names in hands))
            siege.told[WELL][(await MEETINGS[WELL](address, rng)).status] += 1
        finally:
            process.terminate()
            await asyncio.to_thread(process.wait)
    siege.log = (folder / "log").read_text(errors="replace")
    return siege
