"""The table for a README comes out of the metrics."""

from ralc.names import ASKED, OPPONENTS
from ralc.report.figures import plot_prepost
from ralc.report.markdown import markdown
from ralc.results.labels import number
from ralc.results.select import in_domain, one, plain
from tests.synthetic import DATASETS, results


def test_the_table_shows_each_model_and_dataset_with_every_comparison():
    metrics = results(("a", "b_1"), DATASETS[:2])[2]
    head, rule, *rows = markdown([metrics]).splitlines()
    assert head.count("|") == rule.count("|") == len(ASKED) + 3
    ways, changes = len(OPPONENTS) + 1, len(OPPONENTS)
    assert len(rows) == 2 * 2 * (ways + changes)
    assert not any("mean |" in row for row in rows)
    words = in_domain(plain(metrics, space="linguistic"))
    at = {"target": "b_1", "dataset": DATASETS[1], "method": "ralc", "signal": "semantic_uncertainty"}
    brier = one(words, metric="brier_score", **at)
    shown = f"{number(brier['value'], 'brier_score')} [{number(brier['ci_low'], 'brier_score')}, "
    assert shown in rows[-changes - 1]
    assert "**RALC**, by semantic uncertainty" in rows[-changes - 1]
    assert "RALC − base rate as a number" in rows[-1]


def test_its_n_counts_graded_answers_alone():
    metrics = results(("a",), DATASETS[:1])[2]
    ralc = in_domain(plain(metrics)).query("method == 'ralc'")
    for space, shown in (("linguistic", markdown([metrics])), ("signal", ticks(plot_prepost(metrics)))):
        own = ralc[ralc["space"] == space]
        graded = own.loc[own["metric"].isin(ASKED), "n"].max()
        assert graded < metrics["n"].max()
        assert f"{graded})" in shown


def ticks(figure) -> str:
    """The names down the side of a figure."""
    return " ".join(label.get_text() for label in figure.axes[0].get_yticklabels())
