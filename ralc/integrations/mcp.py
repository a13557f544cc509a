"""An MCP server, ``python -m ralc.integrations.mcp [CALIBRATOR]``, for any client of the protocol."""

import sys
from typing import Annotated, Any

from mcp.server import MCPServer
from pydantic import Field

from ralc import __version__, evaluators
from ralc.calibrator import built_in_lexicon
from ralc.calibrator.confidence import as_confidence
from ralc.integrations import AnswerCalibrator
from ralc.protocols import resolve
from ralc.rewriting import Rewriter

Probability = Annotated[float, Field(ge=0, le=1)]


def server(calibrator: str = "") -> MCPServer:
    """Return a server with the tools ``read`` and ``rewrite``, and with a calibrator's file ``confidence``.

    ValueError or OSError where the file holds no calibrator that `AnswerCalibrator` takes.
    """
    app = MCPServer("ralc", version=__version__)
    evaluator = evaluators.load("cue_model")
    rewriter = Rewriter(built_in_lexicon(), evaluator)

    @app.tool()
    def read(text: str) -> dict[str, Any]:
        """Say how sure a text sounds to people (`read`, a probability), or the `reason` why it cannot be read."""
        why = evaluator.unread(text)
        return {"reason": why} if why else {"read": round(float(evaluator.read([text]).mean[0]), 4)}

    @app.tool()
    def rewrite(text: str, confidence: Probability, question: str = "") -> dict[str, Any]:
        """Put an answer into words that sound as sure as it is probably right (`confidence`)."""
        target = as_confidence([confidence], resolve("ralc"))[0]
        (made,) = rewriter.rewrite([text], [target], questions=[question])
        return {"text": made.text} | made.to_dict()

    def confidence(samples: Annotated[list[str], Field(min_length=1)], question: str = "") -> dict[str, Any]:
        """Say how probably the answer that most samples give is right (`target`), in such words (`text`).

        The samples are answers of one model to one question, each drawn by itself.
        """
        reply = answers.reply(samples[0], samples, question)
        return {"text": reply.text} | reply.ralc

    if calibrator:
        answers = AnswerCalibrator(calibrator)
        app.tool()(confidence)
    return app


if __name__ == "__main__":
    try:
        made = server(*sys.argv[1:2])
    except (ValueError, OSError) as error:
        sys.exit(f"ralc: {error}")
    made.run()
