"""Tables as CSV, HTML and LaTeX: every number is there, marks are earned, and text from the run is escaped."""

import io
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from ralc import names
from ralc.io import write_csv
from ralc.report import tables
from ralc.report.tables import render
from ralc.results import labels
from tests.synthetic import NASTY

ONE_METRIC_TABLES = ["headline", "signal_space", "comparisons", "cross_domain"]


@pytest.mark.parametrize("name", ONE_METRIC_TABLES)
@pytest.mark.parametrize(
    "lacking",
    [
        "method not in ('direct_beta', 'hedged_qa')",
        "signal != 'token_probability'",
        "dataset == 'worldfacts-qa'",
        "versus == 'none'",
        "metric != 'auroc'",
        "versus != 'in_domain'",
    ],
)
def test_missing_conditions_leave_gaps_not_errors(metrics, name, lacking, tmp_path):
    table = getattr(tables, name)(metrics.query(lacking))
    tables.save_table(table, tmp_path / name)
    assert (tmp_path / f"{name}.html").read_text().startswith("<!DOCTYPE html>")


def test_numbers_as_readers_see_them():
    assert labels.number(-0.0001, "reduction") == "0.000"
    assert labels.number(-0.25, "reduction") == "−0.250"
    assert labels.number(np.nan, "auroc") == "–"
    assert labels.number(12.345, "faithfulness_divergence") == "12.35"


def test_csv_keeps_every_number(metrics):
    table = tables.headline(metrics)
    flat = pd.read_csv(io.StringIO(render.to_csv(table)))
    expected = table[("auroc", "ci_low")].to_numpy()
    assert flat["auroc_ci_low"].to_numpy() == pytest.approx(expected, nan_ok=True)
    assert list(flat.columns[:5]) == ["target", "dataset", "subset", "method", "signal"]


def test_html_marks_the_best_of_each_dataset(metrics):
    table = tables.headline(metrics)
    html = render.to_html(table)
    lowest = table[("brier_score", "value")].groupby(level="dataset").min()
    for value in lowest:
        assert f'<span class="best">{labels.number(value, "brier_score")}</span>' in html
    assert "AUROC of means\u00a0↑" in html
    assert "FD\u00a0↓ <small>(nats)</small>" in html


@pytest.mark.parametrize(
    ("low", "high", "metric", "verdict"),
    [
        (-0.2, -0.1, "brier_score", "better"),
        (0.1, 0.2, "brier_score", "worse"),
        (0.1, 0.2, "auroc", "better"),
        (-0.1, 0.1, "auroc", ""),
        (np.nan, np.nan, "auroc", ""),
        (0.0, 0.1, "auroc", ""),
    ],
)
def test_verdict_needs_an_interval_off_zero_and_a_p_value(low, high, metric, verdict):
    parts = {"value": np.array([0.15]), "ci_low": np.array([low]), "ci_high": np.array([high])}
    for p_value, said in ((0.05, verdict), (0.051, ""), (np.nan, "")):
        assert render._verdict(parts | {"p_value": np.array([p_value])}, 0, metric) == said
    assert render._verdict(parts, 0, metric) == ""


def test_in_domain_cells_are_shaded(metrics):
    html = render.to_html(tables.cross_domain(metrics))
    # 2 metrics x 3 signals x 3 datasets, three quantities and n each.
    assert html.count('data-shaded="1"') == 2 * 3 * 3 * 4


def test_names_from_the_run_are_escaped_everywhere(metrics, tmp_path):
    hostile = metrics.replace({"worldfacts-qa": NASTY, "smollm2": "<b>model_1</b>"})
    for name in ONE_METRIC_TABLES:
        tables.save_table(getattr(tables, name)(hostile), tmp_path / name)
        html = (tmp_path / f"{name}.html").read_text()
        assert html.count("<script") == 1  # the page's own
        assert "<b>model" not in html
        assert "&lt;script&gt;" in html
        tex = (tmp_path / f"{name}.tex").read_text()
        assert "\\textbf{_%" not in tex
        assert not re.search(r"(?<!\\)[#]", tex)
    page = tables.overview(hostile)
    assert "<script>alert" not in page
    assert "&lt;script&gt;" in page


def test_a_long_name_is_marked_to_take_several_lines():
    names = ["short", "<b>" + 40 * "x"]
    index = pd.MultiIndex.from_arrays([["MMLU"] * 2, names], names=["dataset", "of"])
    table = pd.DataFrame({("auroc", "value"): [0.5, 0.6]}, index=index)
    table.columns.names = ["quantity", "part"]
    html = render.to_html(table)
    assert f'<span class="long">&lt;b&gt;{40 * "x"}</span>' in html
    assert html.count('<span class="long">') == 1


def test_text_is_no_formula_in_a_csv(tmp_path):
    table = pd.DataFrame(
        {("n", "value"): [1.0, -2.0]}, index=pd.Index(["=cmd|' /C calc'!A0", "perhaps"], name="expression")
    )
    lines = render.to_csv(table).splitlines()
    assert lines == ["expression,n", "'=cmd|' /C calc'!A0,1.0", "perhaps,-2.0"]
    hostile = table.rename(columns={"n": "@note"}).rename_axis("=1+1")
    assert render.to_csv(hostile).splitlines()[0] == "'=1+1,'@note"
    write_csv(hostile.reset_index().droplevel(1, axis=1), tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text().splitlines()[0] == "'=1+1,'@note"


def test_what_tables_say_is_ascii_in_latex(metrics):
    modules = [*Path(tables.__file__).parent.glob("*.py"), Path(labels.__file__), Path(names.__file__)]
    written = set("".join(path.read_text(encoding="utf-8") for path in modules))
    assert render._tex("".join(sorted(written))).isascii()
    assert render._tex("p ≤ .05, ρ ≥ −1") == "p $\\leq$ .05, $\\rho$ $\\geq$ $-$1"
    for name in ONE_METRIC_TABLES:
        assert render.to_latex(getattr(tables, name)(metrics)).isascii()


def test_latex_braces_balance(metrics):
    for name in ONE_METRIC_TABLES:
        tex = re.sub(r"\\[{}]", "", render.to_latex(getattr(tables, name)(metrics)))
        assert tex.count("{") == tex.count("}")
        assert "\\toprule" in tex
