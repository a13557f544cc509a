"""Whether words are read as they were meant: by people's own numbers, and by each reader apart from the loop."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ralc.conditions import ASKED, DEFAULT, PEOPLE, UNSCREENED
from ralc.results.labels import in_order, label, listed, number
from ralc.results.select import in_domain, main_protocol, main_target, one, readers_of, readers_outside
from ralc.results.worth import checks, worth
from ralc.statistics import FEWEST

#: Read as meant: the correlation is at least this share of what the reader's reliability lets it be.
AS_MEANT = 0.8


@dataclass(frozen=True)
class Line:
    """What one reader says of RALC's words."""

    reader: str
    """Its name, or `people` for the phrases that people were asked about, by their own numbers."""
    rho: dict[str, float]
    """Spearman's rho of meant and read confidence over the hedged answers, in [-1, 1], by dataset."""
    n: int
    """Hedged answers of the dataset that has fewest."""
    passed: dict[str, float]
    """Share of answers, in (0, 1], that were passed unhedged, by dataset; only those that have any."""
    worth: str
    """What its numbers are worth (`ralc.results.worth.worth`)."""
    variant: str = DEFAULT
    """Of which words."""

    @property
    def who(self) -> str:
        """Who reads, in words."""
        if self.variant == UNSCREENED:
            return f"{label(self.reader)}, from an unscreened lexicon"
        return "people's own numbers of the phrases" if self.reader == PEOPLE else label(self.reader)

    @property
    def good(self) -> list[str]:
        """The datasets on which words are read as meant."""
        bound = AS_MEANT * np.sqrt(checks(self.reader).get("reliability", 1.0))
        return [dataset for dataset, rho in self.rho.items() if rho >= bound]


def lines(metrics: pd.DataFrame, signal: str) -> list[Line]:
    """Return each line of evidence there is: people's own numbers first, then the readers apart from the loop."""
    return _lines(
        metrics, signal, [(PEOPLE, ASKED), *((judge, DEFAULT) for judge in readers_outside(metrics))]
    )


def unscreened_lines(metrics: pd.DataFrame, signal: str) -> list[Line]:
    """Return what the readers apart from the loop say of words from a lexicon in which none of them had a say."""
    return _lines(metrics, signal, [(judge, UNSCREENED) for judge in readers_outside(metrics)])


def _lines(metrics: pd.DataFrame, signal: str, asked: Sequence[tuple[str, str]]) -> list[Line]:
    """The lines of those readers and variants that there are."""
    found = (_line(metrics, signal, reader, variant) for reader, variant in asked)
    return [line for line in found if line is not None]


def _line(metrics: pd.DataFrame, signal: str, reader: str, variant: str) -> Line | None:
    """What one reader says; None where it read nothing, or the confidence meant does not vary."""
    about = {
        "protocol": main_protocol(metrics),
        "target": main_target(metrics),
        "reader": reader,
        "variant": variant,
    }
    about |= {"method": "ralc", "signal": signal, "subset": "all", "versus": "none"}
    said = in_domain(
        metrics[np.logical_and.reduce([metrics[column] == value for column, value in about.items()])]
    )
    # Abstentions pass unhedged and sound as sure as they are: no words of ours are read there.
    rows = said[said["metric"] == "spearman_mean_hedged"].dropna(subset=["value"])
    if rows.empty:
        return None
    rho = {dataset: float(one(rows, dataset=dataset)["value"]) for dataset in in_order(rows["dataset"])}
    rates = said[(said["metric"] == "passed_rate") & (said["value"] > 0)]
    passed = dict(zip(rates["dataset"], rates["value"], strict=True))
    direct = "what people said of the phrases themselves, no model in between" if reader == PEOPLE else ""
    told = direct or worth(reader, readers_of(metrics)[0])
    return Line(reader, rho, int(rows["n"].min()), passed, told, variant)


def read_as_meant(found: Sequence[Line]) -> str:
    """Return the one sentence that says whether RALC's words are read as meant, by each line of evidence.

    >>> probe = Line("probe", {"a": 0.9, "b": 0.1}, 60, {}, "")
    >>> read_as_meant([Line("people", {"a": 0.9}, 60, {}, ""), probe])
    "RALC's words are read as meant by people's own numbers of the phrases; on a alone by probe."
    >>> read_as_meant([])
    'Nothing can be said of how words are read: none were, or one confidence was meant throughout.'
    """
    if not found:
        return "Nothing can be said of how words are read: none were, or one confidence was meant throughout."
    enough = [line for line in found if line.n >= FEWEST]
    if not enough:
        return "Too few answers were read to say whether RALC's words are read as meant."
    parts = _where_read(enough)
    negated = "" if parts else "not "
    if nowhere := [line.who for line in enough if not line.good]:
        parts.append(f"{'not ' if parts else ''}by {listed(nowhere)}")
    if few := [line.who for line in found if line.n < FEWEST]:
        parts.append(f"too few answers were read by {listed(few)} to say")
    return f"RALC's words are {negated}read as meant {'; '.join(parts)}."


def _where_read(found: Sequence[Line]) -> list[str]:
    """By whom words are read as meant everywhere, and by whom on some datasets alone, in words."""
    whole = [line.who for line in found if len(line.good) == len(line.rho)]
    partly = [line for line in found if 0 < len(line.good) < len(line.rho)]
    alone = [f"on {listed(list(map(label, line.good)))} alone by {line.who}" for line in partly]
    return [f"by {listed(whole)}", *alone] if whole else alone


def passed_unhedged(found: Sequence[Line]) -> str:
    """Return the shares of answers that were passed unhedged and are left out, as a list in words; empty if none.

    They are those of the last line, whose readings are the run's own: a lexicon of people's phrases passes the same.
    """
    shares = found[-1].passed if found else {}
    return listed([f"{label(name)} {number(share, 'passed_rate')} %" for name, share in shares.items()])
