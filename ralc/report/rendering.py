"""Writing for people who read: pages from templates, and tables as CSV, HTML and LaTeX.

A table is a DataFrame whose last column level is `part` (value, sd, ci_low, ci_high, p_value). Its level
`quantity` names what is measured (see `ralc.results.labels.QUANTITIES`). Its `attrs` say how to show it: title,
notes, and best_within, the index levels inside which the best value is bold. By `difference` intervals that exclude
0 with p <= 0.05 are marked. By `shade`, [index level, column level], cells where both are equal are shaded.
"""

import base64
import hashlib
from collections.abc import Callable, Hashable
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import jinja2
import numpy as np
import pandas as pd
from markupsafe import Markup, escape

from ralc.io import whole_file
from ralc.io.files import inert
from ralc.results.holm_families import side
from ralc.results.labels import COLUMNS, QUANTITIES, label, number

ARROW = {"lower": "↓", "higher": "↑"}
#: Characters of the longest name that stands on one line.
LONG = 40
_MATHS = {"ρ": "rho", "τ": "tau", "κ": "kappa", "α": "alpha", "β": "beta", "μ": "mu", "→": "rightarrow"}
_MATHS |= {"≤": "leq", "≥": "geq", "≈": "approx", "×": "times", "·": "cdot", "±": "pm", "√": "surd"}
_MATHS |= {ARROW["lower"]: "downarrow", ARROW["higher"]: "uparrow"}
#: What is special to LaTeX, and the characters beyond ASCII that tables are written with.
_LATEX = {character: f"\\{character}" for character in "&%$#_{}"}
_LATEX |= {"~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "\\": "\\textbackslash{}"}
_LATEX |= {character: f"$\\{name}$" for character, name in _MATHS.items()}
_LATEX |= {"−": "$-$", "<": "$<$", ">": "$>$", "✓": "$^{+}$", "✗": "$^{-}$", "–": "--", "—": "---"}
_LATEX |= {"“": "``", "”": "''", "‘": "`", "’": "'", "…": "\\ldots{}", "\u00a0": "~"}


@cache
def _environment() -> jinja2.Environment:
    folder = resources.files("ralc.report") / "templates"
    loader = jinja2.FunctionLoader(lambda name: (folder / name).read_text(encoding="utf-8"))
    # Model output is shown: escaping is on for every template, whatever its name.
    return jinja2.Environment(
        loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )


def page(template: str, **values: Any) -> str:
    """Return a self-contained HTML page: a template filled with `values`, which are escaped unless Markup.

    The policy in its head names the one script that may run: nothing that a model wrote can.
    """
    script = _environment().get_template("page.js").render()
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return _environment().get_template(template).render(script_hash=f"sha256-{digest}", **values)


def save_table(table: pd.DataFrame, stem: str | Path) -> None:
    """Write `<stem>.csv`, `<stem>.html` and `<stem>.tex`."""
    for suffix, render in ((".csv", to_csv), (".html", to_html), (".tex", to_latex)):
        with whole_file(Path(f"{stem}{suffix}")) as temporary:
            temporary.write_text(render(table), encoding="utf-8")


def to_csv(table: pd.DataFrame) -> str:
    """Return every number unrounded under one header line: `auroc`, `auroc_ci_low`, ...; text is no formula."""
    flat = table.map(inert)
    flat.columns = ["_".join(part for part in _names(column) if part != "value") for column in table.columns]
    names = table.index.to_frame(index=False).astype(str).map(inert)
    both = pd.concat([names, flat.reset_index(drop=True)], axis=1)
    return both.set_axis([inert(str(column)) for column in both], axis=1).to_csv(index=False)


def to_html(table: pd.DataFrame) -> str:
    """Return a page with the table, its title and its notes; names from the run are escaped."""
    styler = _shown(table, _html_cell, _html_heading).style.format_index(_html_name, axis=0)
    body = styler.set_table_attributes('class="numbers sorted"').to_html(sparse_index=False)
    return page("table.html.j2", title=_title(table), table=Markup(body), notes=table.attrs.get("notes", []))


def to_latex(table: pd.DataFrame) -> str:
    """Return a booktabs table; names from the run are escaped. The first line says which packages it needs."""
    styler = _shown(table, _latex_cell, _latex_heading).style
    styler = styler.format_index(lambda name: _tex(label(name)), axis=0)
    body = styler.to_latex(hrules=True, multicol_align="c", multirow_align="t", clines="skip-last;data")
    notes = " ".join(_tex(note) for note in table.attrs.get("notes", []))
    return (
        "% needs booktabs, multirow, graphicx, [table]{xcolor}\n\\begin{table}\n\\centering\n\\small\n"
        f"\\caption{{{_tex(_title(table))}. {notes}}}\n"
        f"\\resizebox{{\\linewidth}}{{!}}{{%\n{body}}}\n\\end{{table}}\n"
    )


def _title(table: pd.DataFrame) -> str:
    return table.attrs.get("title", "Table")


def _names(key: Hashable) -> tuple[str, ...]:
    """A row or column key as a tuple of names."""
    return tuple(map(str, key)) if isinstance(key, tuple) else (str(key),)


class _Cell(NamedTuple):
    """One cell: its text, what stands small beside it, and how it stands out."""

    value: str
    detail: str
    best: bool
    verdict: str  # "better", "worse" or "not shown"
    shaded: bool


def _shown(
    table: pd.DataFrame, cell: Callable[[_Cell], str], heading: Callable[[tuple[str, ...]], tuple[str, ...]]
) -> pd.DataFrame:
    """The table with one text a quantity."""
    headers = list(dict.fromkeys(_names(column)[:-1] for column in table.columns))
    texts = {place: list(map(cell, _cells(table, header))) for place, header in enumerate(headers)}
    shown = pd.DataFrame(texts)
    shown.index = table.index.rename([COLUMNS.get(name, name) for name in table.index.names])
    titles = [heading(header) for header in headers]
    several = len(titles[0]) > 1
    shown.columns = pd.MultiIndex.from_tuples(titles) if several else [title[0] for title in titles]
    return shown


def _cells(table: pd.DataFrame, header: tuple[str, ...]) -> list[_Cell]:
    """The cells of one quantity."""
    parts = {_names(c)[-1]: table[c].to_numpy(float) for c in table.columns if _names(c)[:-1] == header}
    quantity, columns = header[-1], dict(zip(table.columns.names, header, strict=False))
    differs = table.attrs.get("difference") and quantity not in ("n", "reduction_percent")
    row_level, column_level = table.attrs.get("shade") or (None, None)
    rows = table.index.get_level_values(row_level) if row_level else [None] * len(table)
    best = _best(table, parts["value"], quantity)
    cells = []
    for place, row in enumerate(rows):
        cell = {part: float(numbers[place]) for part, numbers in parts.items()}
        ends = (cell.get(name, np.nan) for name in ("ci_low", "ci_high", "p_value"))
        verdict = side(*ends, QUANTITIES[quantity].better) if differs else "not shown"
        shaded = row_level is not None and row == columns.get(column_level)
        cells.append(
            _Cell(number(cell["value"], quantity), _detail(cell, quantity), best[place], verdict, shaded)
        )
    return cells


def _best(table: pd.DataFrame, values: np.ndarray, quantity: str) -> list[bool]:
    """Where the best value of its group stands, if a direction is better and there is a choice."""
    within, better = table.attrs.get("best_within"), QUANTITIES[quantity].better
    if not within or better is None:
        return [False] * len(values)
    signed = pd.Series(values if better == "lower" else -values, index=table.index)
    groups = signed.groupby(level=within, sort=False)
    return ((signed == groups.transform("min")) & (groups.transform("count") > 1)).tolist()


def _detail(parts: dict[str, float], quantity: str) -> str:
    """What stands small beside the value: SD over models, interval, p-value."""
    shown = {part: number(value, quantity) for part, value in parts.items() if np.isfinite(value)}
    texts = [
        f"{name} {shown[part]}" for part, name in (("sd", "SD"), ("sd_of_mean", "SD/√n")) if part in shown
    ]
    if {"ci_low", "ci_high"} <= set(shown):
        texts.append(f"[{shown['ci_low']}, {shown['ci_high']}]")
    if "p_value" in shown:
        texts.append("p < 0.001" if parts["p_value"] < 0.001 else f"p = {parts['p_value']:.3f}")
    return " ".join(texts)


def _html_name(name: Hashable) -> Markup:
    """The name of a row; a long one takes several lines, so that the numbers stay in sight."""
    text = escape(label(name))
    return Markup('<span class="long">{}</span>').format(text) if len(text) > LONG else text


def _html_cell(cell: _Cell) -> str:
    mark = {"better": " ✓", "worse": " ✗"}.get(cell.verdict, "")
    classes = " ".join(["best"] * cell.best + [cell.verdict] * bool(mark))
    shade = ' data-shaded="1"' if cell.shaded else ""
    value = f'<span class="{classes}"{shade}>{escape(cell.value)}{mark}</span>'
    return f"{value} <small>{escape(cell.detail)}</small>" if cell.detail else value


def _html_heading(header: tuple[str, ...]) -> tuple[str, ...]:
    shown = QUANTITIES[header[-1]]
    unit = f" <small>({shown.unit})</small>" if shown.unit else ""
    arrow = f"\u00a0{ARROW[shown.better]}" if shown.better else ""
    return (*(str(escape(label(name))) for name in header[:-1]), f"{escape(shown.title)}{arrow}{unit}")


def _latex_cell(cell: _Cell) -> str:
    value = f"\\textbf{{{_tex(cell.value)}}}" if cell.best else _tex(cell.value)
    mark = {"better": "$^{+}$", "worse": "$^{-}$"}.get(cell.verdict, "")
    shade = "\\cellcolor[gray]{0.92} " if cell.shaded else ""
    detail = f" {{\\scriptsize {_tex(cell.detail)}}}" if cell.detail else ""
    return f"{shade}{value}{mark}{detail}"


def _latex_heading(header: tuple[str, ...]) -> tuple[str, ...]:
    shown = QUANTITIES[header[-1]]
    arrow = f" {ARROW[shown.better]}" if shown.better else ""
    unit = f" ({shown.unit})" if shown.unit else ""
    return tuple(_tex(text) for text in (*map(label, header[:-1]), f"{shown.title}{arrow}{unit}"))


def _tex(text: str) -> str:
    """Text with LaTeX's special characters escaped and our few symbols written in LaTeX."""
    return text.translate(str.maketrans(_LATEX))
