"""Fixtures that every test module may use."""

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

# A busy machine is no failure. Texts are parsed, which is slow: arithmetic says `max_examples` itself.
settings.register_profile("ralc", deadline=None, max_examples=25)
settings.load_profile("ralc")

ROOT = Path(__file__).resolve().parents[1]
#: They are no modules of tests: `tests/test_registry.py` adds them to a copy of the package.
collect_ignore = ["newcomers"]
#: Whose tests look at tables and figures of made-up runs (`tests.synthetic`), which take a minute to make.
MADE_UP = ("test_report_", "test_results", "test_pipeline_measures", "test_pipeline_metrics_plan")
#: Whose tests wait for servers, while the other worker's run has both cores.
WAITING = ("test_llm_servers.py", "test_serve.py")


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests of one run with one worker, begin with runs and with what waits, leave out what is long."""
    for item in items:
        shared = {"smoke_run", "roles_run", "finished"} & set(getattr(item, "fixturenames", ()))
        if shared:
            item.add_marker(pytest.mark.xdist_group("roles" if "roles_run" in shared else "smoke"))
        elif item.path.name.startswith(MADE_UP):
            item.add_marker(pytest.mark.xdist_group("made-up"))
            item.add_marker(pytest.mark.long)
    items.sort(key=lambda item: (item.get_closest_marker("workflow") is None, item.path.name not in WAITING))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real data sets; the test is skipped where it is absent."""
    folder = Path(os.environ.get("RALC_SHARED_DATA", ROOT / "../shared/data"))
    if not folder.is_dir():
        pytest.skip(f"real data not found at {folder}: set RALC_SHARED_DATA to its folder")
    return folder


@pytest.fixture
def rng() -> np.random.Generator:
    """A random generator with a fixed seed."""
    return np.random.default_rng(20260)


@pytest.fixture(scope="session")
def questions():
    """The questions of a made-up run."""
    from tests.synthetic import results

    return results()[0]


@pytest.fixture(scope="session")
def items():
    """The items of a made-up run."""
    from tests.synthetic import results

    return results()[1]


@pytest.fixture(scope="session")
def metrics():
    """The metrics of a made-up run."""
    from tests.synthetic import results

    return results()[2]


@pytest.fixture(scope="session")
def several():
    """Items and metrics of a made-up run of two models, with the mean over them."""
    from tests.synthetic import DATASETS, results

    return results(("a", "b_1"), DATASETS[:2])[1:]


@pytest.fixture
def short_waits(monkeypatch):
    """Retries without long waits, and the key that the hostile server is asked with."""
    from openai import _base_client

    from tests.hostile import KEY

    monkeypatch.setattr(_base_client, "INITIAL_RETRY_DELAY", 0.01)
    monkeypatch.setattr(_base_client, "MAX_RETRY_DELAY", 0.02)
    monkeypatch.setenv("RALC_TEST_KEY", KEY)


@pytest.fixture
def eager(monkeypatch):
    """`ralc serve` asks again without a wait."""
    monkeypatch.setattr("ralc.serve.upstream._FIRST_WAIT_S", 0.01)


@pytest.fixture
def server(short_waits):
    """A hostile server."""
    from tests.hostile import Hostile

    server = Hostile()
    yield server
    server.shutdown()
    server.server_close()
