"""Writing a table for evaluators: CSV with every number, HTML and LaTeX with one cell a quantity.

A table is a DataFrame whose last column level is `part` (value, sd, ci_low, ci_high, p_value) and whose level
`quantity` names what is measured (see `ralc.results.labels.QUANTITIES`). Its `attrs` say how to show it:
title, notes, best_within (index levels inside which the best value is bold), difference (mark intervals that
exclude 0 with p <= 0.05), shade ([index level, column level]: shade cells where both are equal).
"""

from collections.abc import Callable, Hashable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from markupsafe import Markup, escape

from ralc.io import whole_file
from ralc.io.files import inert
from ralc.report.pages import page
from ralc.results.holm_families import side
from ralc.results.labels import COLUMNS, QUANTITIES, label, number

ARROW = {"lower": "↓", "higher": "↑"}
#: Characters of the longest name that stands on one line.
LONG = 40
_MATHS = {"ρ": "rho", "τ": "tau", "κ": "kappa", "α": "alpha", "β": "beta", "μ": "mu", "→": "rightarrow"}
_MATHS |= {"≤": "leq", "≥": "geq", "≈": "approx", "×": "times", "·": "cdot", "±": "pm"}
_MATHS |= {ARROW["lower"]: "downarrow", ARROW["higher"]: "uparrow"}
#: What is special to LaTeX, and the characters beyond ASCII that tables are written with.
_LATEX = {character: f"\\{character}" for character in "&%$#_{}"}
_LATEX |= {"~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "\\": "\\textbackslash{}"}
_LATEX |= {character: f"$\\{name}$" for character, name in _MATHS.items()}
_LATEX |= {
    "−": "$-$",
    "<": "$<$",
    ">": "$>$",
    "✓": "$^{+}$",
    "✗": "$^{-}$",
    "–": "--",
    "—": "---",
    "√": "$\\surd$",
}
_LATEX |= {"“": "``", "”": "''", "‘": "`", "’": "'", "…": "\\ldots{}", "\u00a0": "~"}


class Cell(NamedTuple):
    """One shown cell: its text and how it stands out."""

    value: str
    detail: str
    best: bool
    verdict: str  # "better", "worse" or ""
    shaded: bool


def save_table(table: pd.DataFrame, stem: str | Path) -> None:
    """Write `<stem>.csv`, `<stem>.html` and `<stem>.tex`."""
    for suffix, render in ((".csv", to_csv), (".html", to_html), (".tex", to_latex)):
        with whole_file(Path(f"{stem}{suffix}")) as temporary:
            temporary.write_text(render(table), encoding="utf-8")


def to_csv(table: pd.DataFrame) -> str:
    """Every number unrounded under one header line: `auroc`, `auroc_ci_low`, ...; text is no formula."""
    flat = table.map(inert)
    flat.columns = ["_".join(part for part in _names(column) if part != "value") for column in table.columns]
    names = table.index.to_frame(index=False).astype(str).map(inert)
    whole = pd.concat([names, flat.reset_index(drop=True)], axis=1)
    return whole.set_axis([inert(str(column)) for column in whole], axis=1).to_csv(index=False)


def to_html(table: pd.DataFrame) -> str:
    """Return a page of its own with the table, its title and its notes; names from the run are escaped."""
    shown = _show(table, _html_cell, _html_heading)
    styler = shown.style.format_index(_html_name, axis=0).set_table_attributes('class="numbers sorted"')
    return page(
        "table.html.j2",
        title=_title(table),
        table=Markup(styler.to_html(sparse_index=False)),
        notes=table.attrs.get("notes", []),
    )


def _html_name(name: Hashable) -> Markup:
    """The name of a row; a long one takes several lines, so that the numbers stay in sight."""
    text = escape(label(name))
    return Markup('<span class="long">{}</span>').format(text) if len(text) > LONG else text


def to_latex(table: pd.DataFrame) -> str:
    """Return a booktabs table; names from the run are escaped. The first line says which packages it needs."""
    shown = _show(table, _latex_cell, _latex_heading)
    styler = shown.style.format_index(lambda name: _tex(label(name)), axis=0)
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


def _show(
    table: pd.DataFrame, cell: Callable[[Cell], str], heading: Callable[[tuple[str, ...]], tuple[str, ...]]
) -> pd.DataFrame:
    """The table with one text a quantity."""
    headers = list(dict.fromkeys(_names(column)[:-1] for column in table.columns))
    columns = {header: _cells(table, header) for header in headers}
    shown = pd.DataFrame({place: list(map(cell, columns[header])) for place, header in enumerate(headers)})
    shown.index = table.index.rename([COLUMNS.get(name, name) for name in table.index.names])
    titles = [heading(header) for header in headers]
    shown.columns = (
        pd.MultiIndex.from_tuples(titles) if len(titles[0]) > 1 else [title[0] for title in titles]
    )
    return shown


def _cells(table: pd.DataFrame, header: tuple[str, ...]) -> list[Cell]:
    """The cells of one quantity."""
    parts = {_names(c)[-1]: table[c].to_numpy(float) for c in table.columns if _names(c)[:-1] == header}
    values = parts["value"]
    quantity = header[-1]
    best = _best(table, values, quantity)
    differs = table.attrs.get("difference") and quantity not in ("n", "reduction_percent")
    columns = dict(zip(table.columns.names, header, strict=False))
    row_level, column_level = table.attrs.get("shade") or (None, None)
    rows = table.index.get_level_values(row_level) if row_level else [None] * len(table)
    return [
        Cell(
            value=number(values[i], quantity),
            detail=_detail({part: numbers[i] for part, numbers in parts.items()}, quantity),
            best=bool(best[i]),
            verdict=_verdict(parts, i, quantity) if differs else "",
            shaded=row_level is not None and rows[i] == columns.get(column_level),
        )
        for i in range(len(table))
    ]


def _best(table: pd.DataFrame, values: np.ndarray, quantity: str) -> np.ndarray:
    """Where the best value of its group stands, if a direction is better and there is a choice."""
    within, better = table.attrs.get("best_within"), QUANTITIES[quantity].better
    if not within or better is None:
        return np.zeros(len(values), dtype=bool)
    sign = 1 if better == "lower" else -1
    frame = pd.Series(values * sign, index=table.index)
    groups = frame.groupby(level=within, sort=False)
    return ((frame == groups.transform("min")) & (groups.transform("count") > 1)).to_numpy()


def _detail(parts: dict[str, float], quantity: str) -> str:
    """What stands small beside the value: SD over models, interval, p-value."""
    finite = {part: value for part, value in parts.items() if part != "value" and np.isfinite(value)}
    texts = []
    if "sd" in finite:
        texts.append(f"SD {number(finite['sd'], quantity)}")
    if "sd_of_mean" in finite:
        texts.append(f"SD/√n {number(finite['sd_of_mean'], quantity)}")
    if "ci_low" in finite and "ci_high" in finite:
        texts.append(f"[{number(finite['ci_low'], quantity)}, {number(finite['ci_high'], quantity)}]")
    if "p_value" in finite:
        texts.append("p < 0.001" if finite["p_value"] < 0.001 else f"p = {finite['p_value']:.3f}")
    return " ".join(texts)


def _verdict(parts: dict[str, np.ndarray], i: int, quantity: str) -> str:
    """Whether a difference is surely for the better or the worse; "" where it is not."""
    if not {"ci_low", "p_value"} <= set(parts):
        return ""
    mark = side(*(parts[name][i] for name in ("ci_low", "ci_high", "p_value")), QUANTITIES[quantity].better)
    return "" if mark == "not shown" else mark


def _html_cell(cell: Cell) -> str:
    classes = " ".join(name for name in ("best" if cell.best else "", cell.verdict) if name)
    mark = {"better": " ✓", "worse": " ✗"}.get(cell.verdict, "")
    shade = ' data-shaded="1"' if cell.shaded else ""
    value = f'<span class="{classes}"{shade}>{escape(cell.value)}{mark}</span>'
    return f"{value} <small>{escape(cell.detail)}</small>" if cell.detail else value


def _html_heading(header: tuple[str, ...]) -> tuple[str, ...]:
    shown = QUANTITIES[header[-1]]
    unit = f" <small>({shown.unit})</small>" if shown.unit else ""
    arrow = f"\u00a0{ARROW[shown.better]}" if shown.better else ""
    return (*(str(escape(label(name))) for name in header[:-1]), f"{escape(shown.title)}{arrow}{unit}")


def _latex_cell(cell: Cell) -> str:
    value = f"\\textbf{{{_tex(cell.value)}}}" if cell.best else _tex(cell.value)
    mark = {"better": "$^{+}$", "worse": "$^{-}$"}.get(cell.verdict, "")
    shade = "\\cellcolor[gray]{0.92} " if cell.shaded else ""
    return (
        f"{shade}{value}{mark} {{\\scriptsize {_tex(cell.detail)}}}"
        if cell.detail
        else f"{shade}{value}{mark}"
    )


def _latex_heading(header: tuple[str, ...]) -> tuple[str, ...]:
    shown = QUANTITIES[header[-1]]
    arrow = {"lower": " $\\downarrow$", "higher": " $\\uparrow$"}.get(shown.better or "", "")
    unit = f" ({_tex(shown.unit)})" if shown.unit else ""
    return (*(_tex(label(name)) for name in header[:-1]), f"{_tex(shown.title)}{arrow}{unit}")


def _tex(text: str) -> str:
    """Text with LaTeX's special characters escaped and our few symbols written in LaTeX."""
    return text.translate(str.maketrans(_LATEX))
