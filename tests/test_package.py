"""What importing the package costs, and that its core works alone."""

import subprocess
import sys

import pytest

HEAVY = ("torch", "snakemake", "matplotlib", "scipy.stats", "sklearn", "pandas", "xllamacpp")


def loaded_after(code: str) -> set[str]:
    """The heavy modules that a fresh interpreter has loaded after some code."""
    program = f"import sys\n{code}\nprint(*[name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_ralc_loads_nothing_heavy_and_is_quick():
    assert loaded_after("import ralc") == set()
    # CPU seconds, so that other work on the machine does not count; the least of three.
    timed = "import time; start = time.process_time(); import ralc; print(time.process_time() - start)"
    seconds = [
        float(
            subprocess.run([sys.executable, "-c", timed], capture_output=True, text=True, check=True).stdout
        )
        for _ in range(3)
    ]
    assert min(seconds) < 0.5


@pytest.mark.parametrize(
    "code",
    [
        "import ralc; ralc.Beta.fit_moments([0.4, 0.6]).mean",
        "from ralc import Beta, metrics; metrics.generalised_ece([1], Beta([2], [1]))",
        "from ralc import Beta, retrieval; retrieval.nearest_hedges(Beta([1, 2], 1), Beta(1, 1), k=1)",
        "from ralc import signals; signals.semantic_uncertainty(3, 4)",
    ],
)
def test_betas_metrics_and_retrieval_load_nothing_heavy(code):
    assert loaded_after(code) == set()


def test_maps_load_no_model_and_no_workflow():
    code = "from ralc import Beta, calibration; calibration.PlattScaling().fit(Beta([2, 1], [1, 2]), [1, 0])"
    assert not loaded_after(code) & {"torch", "snakemake", "matplotlib", "xllamacpp"}
