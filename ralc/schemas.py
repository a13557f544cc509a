"""The tables that pass between the rules: columns, types and ranges, checked at every write and read.

A table is known by its name: ``check(frame, "items")``. Text that does not apply is ``none``, a number null.
"""

from collections.abc import Collection
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

import pandas as pd

from ralc import registry
from ralc.conditions import COLUMNS, NONE

if TYPE_CHECKING:
    import pandera.pandas as pa

#: Who wrote a rewrite. A model, or grammar, which put a hedge into a place. ``template``: a hedge in place of a model's
#: unusable text; ``kept``: that text itself; ``none``: neither. ``left``: the answer was read as meant as it came;
#: ``unhedged``: so without its own hedges. ``note``: a note stands beside it. ``covered``: a note of the whole speaks
#: for it. ``passed``: it is as it came.
ORIGINS = ("model", "grammar", "template", "kept", "left", "unhedged", "note", "covered", "passed", NONE)
#: The type of each kind of column, and its bounds: at least, at most. Of lists it is checked that they are there. Any
#: other kind is one of a few texts: ``train|test``, or the names of a noun of the registry, as in ``METHODS|none``.
KINDS: dict[str, tuple[str, float | None, float | None]] = {
    "text": ("str", None, None),
    "repeated": ("category", None, None),  # a text that many rows share, kept once
    "count": ("Int64", 0, None),
    "some": ("Int64", 1, None),
    "number": ("float64", None, None),
    "size": ("float64", 0, None),
    "share": ("float64", 0, 1),
    "beta": ("float64", None, None),  # a parameter of one, above 0
    "flag": ("bool", None, None),
    "given": ("bool", None, None),  # a flag that nothing else is taken for
    "list": ("object", None, None),
}

_UNIT = "question_id sentence:count"
_OF = {"signal": "SIGNALS|none", "method": "METHODS|none", "space": "SPACES|none"}
_CONDITION = " ".join(f"{column}:{_OF.get(column, 'text')}" for column in COLUMNS)
#: A text that an answer, or a sentence of one, is rewritten as; ``parent_answer`` is then the rewritten answer.
_ORIGIN = f"origin:{'|'.join(ORIGINS)}"
_REWRITTEN = f"text {_ORIGIN} hedge? parent_answer:repeated?"
#: What is to be said of an answer, and the hedges that say it nearest.
_RETRIEVED = f"{_UNIT} train signal:SIGNALS|none method:METHODS variant alpha:beta beta:beta hedges:list"
_PRESERVED = "p_entail:share? p_neutral:share? p_contradict:share?"

#: The columns of each table, each with its kind (by default ``text``), ``?`` where it may be null, ``!`` where unique.
DECLARED: dict[str, str] = {
    # Whose request it is stands beside it (`ralc.llm.tables`).
    "requests": """key model head:repeated tail n:some temperature:size top_p:share top_k:count min_p:share
        max_tokens:some stop:repeated seed:count logprobs:given constraint:repeated? attempt:some
        alternatives:repeated embedding:given""",
    "responses": """key sample:count text? finish_reason token_logprobs:list prompt_tokens:count
        completion_tokens:count reasoning_tokens:count error? attempt:some valid:flag alternatives:list
        embedding:list token_ends:list""",
    "questions": """question_id! dataset format:FORMATS question history:list turn:some choices:list context?
        title? accepted:list wrong:list correct_choice:count? subject answerable:flag group split:train|test""",
    "samples": "question_id prompt:PROMPTS sample:count text finish_reason token_logprobs:list token_ends:list",
    "clusters": "question_id sample:count cluster:count fallback:flag",
    "answers": f"""{_UNIT} prompt:PROMPTS text start:count parent_answer:repeated? support:count? samples:count?
        fallback:flag""",
    "grades": f"{_UNIT} prompt:PROMPTS grade:GRADES outcome:share?",
    "texts": "item! text secondary:flag",
    "readings": "item text evaluator alpha:beta? beta:beta? readings:count",
    "signals": f"protocol {_UNIT} signal:SIGNALS alpha:beta? beta:beta?",
    "calibrated": f"protocol {_UNIT} dataset train signal:SIGNALS variant alpha:beta beta:beta",
    "retrieved": _RETRIEVED,
    "plan": f"""target {_RETRIEVED} text parent_answer:repeated? whole:flag responsive:flag loop:open|closed
        skip_reason frames:list
        hedge_alpha:list hedge_beta:list task task_alpha:beta task_beta:beta""",
    "proposals": "model sample:count item expression frame fault",
    "hedges": "expression! source frame kind register polarity",
    "sentences": "expression sentence origin:model|grammar|template|kept",
    "scores": "expression sentence evaluator score:share variance:size",
    "lexicon": "expression! source frame alpha:beta beta:beta n:some flags",
    "candidates": f"task {_REWRITTEN}",
    "rewrites": f"task! {_REWRITTEN}",
    "rewrite_grades": f"{_UNIT} task grade:GRADES outcome:share?",
    "preservation": f"""original rewrite content_preservation:share meaning_changed:share not_entailed:share?
        {_PRESERVED}""",
    "items": f"""{_CONDITION} {_UNIT} group turn:some subject answerable:flag outcome:share? grade:GRADES
        abstained:flag alpha:beta? beta:beta? text? parent_answer:repeated? hedges:list {_ORIGIN}
        content_preservation:share? meaning_changed:share? not_entailed:share? {_PRESERVED}""",
    "metrics": f"""{_CONDITION.replace("SIGNALS|none", "SIGNALS|none|mean")} subset
        versus:METHODS|COUNTERPARTS|none metric:METRICS value:number? sd:size? ci_low:number? ci_high:number?
        p_value:share? n:count""",
    "calls": """stage model requests:count answers:count prompt_tokens:count completion_tokens:count
        reasoning_tokens:count cut:count second_attempts:count invalid:count errors:count cost:size?""",
    "maps": """protocol target dataset signal:SIGNALS variant map n:some left_out:count slope:number?
        intercept:number? data_share:share? flags""",
    "human_benchmark": """dataset evaluator metric:EVALUATOR_METRICS value:number? ci_low:number? ci_high:number?
        p_value:share? n:count measured:this_run|beforehand""",
    "human_benchmark_points": """dataset quantity:mean|spread evaluator item read:share human:share
        human_sd:size? n:some""",
}
#: The columns of each table, each with what is declared of it.
TABLES: dict[str, dict[str, str]] = {
    table: {column.partition(":")[0].rstrip("?!"): column for column in declared.split()}
    for table, declared in DECLARED.items()
}


def check(frame: pd.DataFrame, table: str, columns: Collection[str] | None = None) -> pd.DataFrame:
    """Return a table with its columns (or only some of them) first and their types made exact.

    Parameters
    ----------
    frame
        The table.
    table
        Its name in `TABLES`.
    columns
        Those that it may have; None wants all.

    Raises
    ------
    ValueError
        Naming the table, the column, the rule that is broken and the first offending row.
    """
    import pandera.pandas as pa  # takes half a second

    names = [name for name in TABLES[table] if columns is None or name in columns]
    try:
        checked = pa.DataFrameSchema({name: _column(TABLES[table][name]) for name in names}).validate(frame)
    except (pa.errors.SchemaError, pa.errors.SchemaErrors) as error:
        first = error.schema_errors[0] if isinstance(error, pa.errors.SchemaErrors) else error
        where = ""
        cases = getattr(first, "failure_cases", None)
        if isinstance(cases, pd.DataFrame) and len(cases) and "index" in cases:
            where = f"; first at row {cases['index'].iloc[0]}: {cases['failure_case'].iloc[0]!r}"
        raise ValueError(f"table {table!r}: {str(first).splitlines()[0].rstrip(':')}{where}") from None
    return checked[[*names, *(column for column in checked.columns if column not in names)]]


@cache
def _column(declared: str) -> "pa.Column":
    import pandera.pandas as pa

    kind = declared.rstrip("?!").partition(":")[2] or "text"
    few = [getattr(registry, name, [name.replace("_", " ")]) for name in kind.split("|")]
    checks = [] if kind in KINDS else [pa.Check.isin([*chain.from_iterable(few)])]
    dtype, low, high = KINDS.get(kind, KINDS["text"])
    checks += [pa.Check.ge(low)] if low is not None else []
    checks += [pa.Check.le(high)] if high is not None else []
    checks += [pa.Check.gt(0)] if kind == "beta" else []
    if kind == "repeated":
        checks.append(pa.Check(lambda column: all(isinstance(text, str) for text in column.cat.categories)))
    return pa.Column(
        dtype,
        checks,
        nullable="?" in declared or kind == "list",
        unique="!" in declared,
        coerce=kind not in ("given", "list"),
    )
