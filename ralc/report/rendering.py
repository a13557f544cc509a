"""Writing for people who read: pages from templates, and tables as CSV, HTML and LaTeX.

A table is a DataFrame whose last column level is `part`: value, sd, ci_low, ci_high, p_value. Its level `quantity`
names what is measured (`ralc.results.labels.QUANTITIES`). Its `attrs` are those of `ralc.report.tables.specs.Spec`:
title, notes, best_within, difference, shade.
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
LONG_NAME = 30
_MATHS = {"ρ": "rho", "τ": "tau", "κ": "kappa", "α": "alpha", "β": "beta", "μ": "mu", "→": "rightarrow"}
_MATHS |= {"≤": "leq", "≥": "geq", "≈": "approx", "×": "times", "·": "cdot", "±": "pm", "√": "surd"}
_MATHS |= {ARROW["lower"]: "downarrow", ARROW["higher"]: "uparrow"}
#: What is special to LaTeX, and the characters beyond ASCII that tables are written with.
_LATEX_CHARACTERS = {character: f"\\{character}" for character in "&%$#_{}"}
_LATEX_CHARACTERS |= {"~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "\\": "\\textbackslash{}"}
_LATEX_CHARACTERS |= {character: f"$\\{name}$" for character, name in _MATHS.items()}
_LATEX_CHARACTERS |= {"−": "$-$", "<": "$<$", ">": "$>$", "✓": "$^{+}$", "✗": "$^{-}$", "–": "--", "—": "---"}
_LATEX_CHARACTERS |= {"“": "``", "”": "''", "‘": "`", "’": "'", "…": "\\ldots{}", "\u00a0": "~"}


@cache
def _environment() -> jinja2.Environment:
    folder = resources.files("ralc.report") / "templates"
    loader = jinja2.FunctionLoader(lambda name: (folder / name).read_text(encoding="utf-8"))
    # Model output is shown: escaping is on for every template, whatever its name.
    blocks = {"trim_blocks": True, "lstrip_blocks": True}
    environment = jinja2.Environment(
        loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, **blocks
    )
    environment.filters |= {"label": label, "number": number, "p_value": p_value}
    environment.filters["arrow"] = lambda quantity: ARROW[QUANTITIES[quantity].better]
    return environment


def page(template: str, **values: Any) -> str:
    """Return a self-contained HTML page: a template filled with `values`, which are escaped unless Markup.

    The policy in its head names the one script that may run: nothing that a model wrote can.
    """
    script = _environment().get_template("page.js").render()
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return _environment().get_template(template).render(script_hash=f"sha256-{digest}", **values)


def embedded(figure: str) -> str:
    """Return the address that holds a figure (SVG)."""
    return f"data:image/svg+xml;base64,{base64.b64encode(figure.encode()).decode()}"


def save_table(table: pd.DataFrame, stem: str | Path) -> None:
    """Write `<stem>.csv`, `<stem>.html` and `<stem>.tex`."""
    for suffix, render in ((".csv", to_csv), (".html", to_html), (".tex", to_latex)):
        with whole_file(Path(f"{stem}{suffix}")) as temporary:
            temporary.write_text(render(table), encoding="utf-8")


def to_csv(table: pd.DataFrame) -> str:
    """Return every number unrounded under one header line: `auroc`, `auroc_ci_low`, ...; text is no formula."""
    flat = table.map(inert)
    flat.columns = ["_".join(name for name in column if name != "value") for column in table.columns]
    names = table.index.to_frame(index=False).astype(str).map(inert)
    both = pd.concat([names, flat.reset_index(drop=True)], axis=1)
    return both.set_axis([inert(str(column)) for column in both], axis=1).to_csv(index=False)


class _Language(NamedTuple):
    """How a language of tables writes text: escaped, what stands out, and what stands small."""

    escape: Callable[[str], str]
    best: str
    better: str
    worse: str
    shaded: str
    small: str


HTML = _Language(
    lambda text: str(escape(text)),
    best="<b>{}</b>",
    better='<span class="better">{}\u00a0✓</span>',
    worse='<span class="worse">{}\u00a0✗</span>',
    shaded='<span data-shaded="1">{}</span>',
    small=" <small>{}</small>",
)
LATEX = _Language(
    lambda text: text.translate(str.maketrans(_LATEX_CHARACTERS)),
    best="\\textbf{{{}}}",
    better="{}$^{{+}}$",
    worse="{}$^{{-}}$",
    shaded="\\cellcolor[gray]{{0.92}} {}",
    small=" {{\\scriptsize {}}}",
)


def to_html(table: pd.DataFrame) -> str:
    """Return a page with the table, its title and its notes; names from the run are escaped."""
    styler = _shown(table, HTML).style.format_index(_html_name, axis=0)
    body = styler.set_table_attributes('class="numbers sorted"').to_html(sparse_index=False)
    attrs = table.attrs
    return page("table.html.j2", title=attrs["title"], table=Markup(body), notes=attrs.get("notes", []))


def to_latex(table: pd.DataFrame) -> str:
    """Return a booktabs table; names from the run are escaped. The first line says which packages it needs."""
    styler = _shown(table, LATEX).style.format_index(lambda name: LATEX.escape(label(name)), axis=0)
    body = styler.to_latex(hrules=True, multicol_align="c", multirow_align="t", clines="skip-last;data")
    caption = LATEX.escape(". ".join([table.attrs["title"], " ".join(table.attrs.get("notes", []))]))
    return (
        "% needs booktabs, multirow, graphicx, [table]{xcolor}\n\\begin{table}\n\\centering\n\\small\n"
        f"\\caption{{{caption}}}\n"
        f"\\resizebox{{\\linewidth}}{{!}}{{%\n{body}}}\n\\end{{table}}\n"
    )


def _html_name(name: Hashable) -> Markup:
    """The name of a row; a long one takes several lines, so that the numbers stay in sight."""
    text = escape(label(name))
    return Markup('<span class="long">{}</span>').format(text) if len(text) > LONG_NAME else text


def _shown(table: pd.DataFrame, language: _Language) -> pd.DataFrame:
    """The table with one text a quantity."""
    headers = list(dict.fromkeys(column[:-1] for column in table.columns))
    shown = pd.DataFrame({place: _cells(table, header, language) for place, header in enumerate(headers)})
    shown.index = table.index.rename([COLUMNS.get(name, name) for name in table.index.names])
    titles = [_heading(header, language) for header in headers]
    shown.columns = (
        pd.MultiIndex.from_tuples(titles) if len(titles[0]) > 1 else [title for (title,) in titles]
    )
    return shown


def _heading(header: tuple[Hashable, ...], language: _Language) -> tuple[str, ...]:
    """The names above a column; the last is the quantity, with its direction and unit."""
    shown = QUANTITIES[header[-1]]
    arrow = f"\u00a0{ARROW[shown.better]}" if shown.better else ""
    unit = language.small.format(language.escape(f"({shown.unit})")) if shown.unit else ""
    return (
        *(language.escape(label(name)) for name in header[:-1]),
        language.escape(shown.title + arrow) + unit,
    )


def _cells(table: pd.DataFrame, header: tuple[Hashable, ...], language: _Language) -> list[str]:
    """The cells of one quantity, written."""
    quantity = header[-1]
    parts = table.loc[:, [column[:-1] == header for column in table.columns]]
    parts = parts.set_axis(parts.columns.get_level_values("part"), axis=1)
    columns = dict(zip(table.columns.names, header, strict=False))
    rows = table.index.to_frame().to_dict("records")
    differs = table.attrs.get("difference") and quantity not in ("n", "reduction_percent")
    row_level, column_level = table.attrs.get("shade") or (None, None)
    best = _best(table, parts["value"], quantity)
    texts = []
    for cell, row, is_best in zip(parts.to_dict("records"), rows, best, strict=True):
        text = language.escape(number(cell["value"], quantity))
        if is_best:
            text = language.best.format(text)
        ends = (cell.get(name, np.nan) for name in ("ci_low", "ci_high", "p_value"))
        verdict = side(*ends, QUANTITIES[quantity].better) if differs else "not shown"
        if verdict != "not shown":
            text = getattr(language, verdict).format(text)
        if row_level and row[row_level] == columns[column_level]:
            text = language.shaded.format(text)
        detail = _detail(cell, quantity)
        texts.append(text + (language.small.format(language.escape(detail)) if detail else ""))
    return texts


def _best(table: pd.DataFrame, values: pd.Series, quantity: str) -> pd.Series:
    """Where the best value of its group stands, if a direction is better and there is a choice."""
    within = table.attrs.get("best_within")
    better = QUANTITIES[quantity].better
    if not within or better is None:
        return pd.Series(False, values.index)
    signed = values if better == "lower" else -values
    groups = signed.groupby(level=within, sort=False)
    return (signed == groups.transform("min")) & (groups.transform("count") > 1)


def _detail(parts: dict[str, float], quantity: str) -> str:
    """What stands small beside the value: SD over models, interval, p-value."""
    shown = {part: number(value, quantity) for part, value in parts.items() if np.isfinite(value)}
    names = {"sd": "SD", "sd_of_mean": "SD/√n"}
    texts = [f"{name} {shown[part]}" for part, name in names.items() if part in shown]
    if {"ci_low", "ci_high"} <= set(shown):
        texts.append(f"[{shown['ci_low']}, {shown['ci_high']}]")
    return " ".join([*texts, p_value(parts["p_value"])] if "p_value" in shown else texts)


def p_value(value: float) -> str:
    """Return a p-value as text."""
    if np.isnan(value):
        return "p –"
    return "p < 0.001" if value < 0.001 else f"p = {value:.3f}"
