"""The page on which people rate: plain forms, no account, nothing from elsewhere; each rating is a line of a file."""

import re
import secrets
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from ralc.rating.design import Design
from ralc.rating.ratings import Rating, append, read
from ralc.report.pages import page

_PERSON = re.compile(r"[0-9a-f]{8}")
#: A form of four short fields needs no more.
_LARGEST = 1_000
_TITLE = "How sure is this answer?"
#: Nothing is kept by the browser, or told to another site.
_HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


def make_app(design: Design, path: Path, *, purpose: str = "study") -> Starlette:
    """Return the application: ``/`` makes up a person, ``/{person}`` asks what they have not rated yet.

    Parameters
    ----------
    design : Design
        Who is asked what.
    path : Path
        The file that ratings are written to; those that it has are not asked again.
    purpose : {"study", "test"}
        What its ratings are for; those of tests enter no figure.
    """
    pages = _Pages(design, path, purpose)
    routes = [
        Route("/", pages.begin, methods=["GET"]),
        Route("/{person}", pages.ask, methods=["GET"]),
        Route("/{person}/{place:int}/before", pages.show, methods=["POST"]),
        Route("/{person}/{place:int}/rating", pages.take, methods=["POST"]),
    ]
    return Starlette(routes=routes, exception_handlers={HTTPException: _refused})


class _Pages:
    def __init__(self, design: Design, path: Path, purpose: str) -> None:
        self._design, self._path, self._purpose = design, path, purpose
        rated = read(path, purpose)  # before anybody is asked: a file that is none is refused here
        self._rated = set(zip(rated["person"], rated["trial"], strict=True))

    async def begin(self, _: Request) -> Response:
        """A person who was not here before."""
        return RedirectResponse(f"/{secrets.token_hex(4)}", 303, _HEADERS)

    async def ask(self, request: Request) -> Response:
        """The next question, or thanks."""
        person = _person(request)
        places = [place for place in range(self._design.trials) if (person, place) not in self._rated]
        if not places:
            return self._page(person, 0, None, "done")
        return self._page(person, places[0], self._design.of(person)[places[0]], "before")

    async def show(self, request: Request) -> Response:
        """The words of the answer, after the belief before them."""
        person, place, trial, form = await self._sent(request)
        return self._page(person, place, trial, "after", before=_percent(form, "before"))

    async def take(self, request: Request) -> Response:
        """A rating: written, and on to the next."""
        person, place, trial, form = await self._sent(request)
        if form.get("accepted") not in ("yes", "no"):
            raise HTTPException(400, "accepted must be yes or no")
        rating = Rating(
            purpose=self._purpose,
            person=person,
            trial=place,
            **{name: trial[name] for name in ("question_id", "way", "text", "read", "correct")},
            **{name: _percent(form, name) for name in ("before", "sounds", "after")},
            accepted=form["accepted"] == "yes",
            at=datetime.now(UTC).isoformat(timespec="seconds"),
        )
        if (person, place) not in self._rated:  # a form that is sent twice counts once
            append(rating, self._path)
            self._rated.add((person, place))
        return RedirectResponse(f"/{person}", 303, _HEADERS)

    async def _sent(self, request: Request) -> tuple[str, int, dict[str, Any], dict[str, str]]:
        """Who sent which form, what it is about, and what it says."""
        person, place = _person(request), request.path_params["place"]
        if place >= self._design.trials:
            raise HTTPException(404, "there is no such question")
        origin = request.headers.get("origin")
        if origin not in (None, "null") and urlsplit(origin).netloc != request.headers.get("host"):
            raise HTTPException(403, "forms are taken from this page alone")
        body = bytearray()
        async for part in request.stream():
            body += part
            if len(body) > _LARGEST:
                raise HTTPException(413, "the form is too long")
        form = {name: values[-1] for name, values in parse_qs(body.decode("utf-8", "replace")).items()}
        return person, place, self._design.of(person)[place], form

    def _page(
        self, person: str, place: int, trial: dict[str, Any] | None, step: str, **values: int
    ) -> Response:
        about = {"person": person, "place": place, "trial": trial, "step": step, "asked": self._design.trials}
        return HTMLResponse(page("rate.html.j2", title=_TITLE, **about, **values), headers=_HEADERS)


async def _refused(_: Request, error: HTTPException) -> Response:
    return PlainTextResponse(f"{error.detail}\n", error.status_code, _HEADERS)


def _person(request: Request) -> str:
    person = request.path_params["person"]
    if not _PERSON.fullmatch(person):
        raise HTTPException(404, "there is no such page: begin at /")
    return person


def _percent(form: dict[str, str], name: str) -> int:
    """A whole number of per cent that a form says."""
    said = form.get(name, "")
    if not re.fullmatch(r"[0-9]{1,3}", said) or int(said) > 100:
        raise HTTPException(400, f"{name} must be a whole number from 0 to 100")
    return int(said)
