"""The first page: the card of the repository that the server was started on; no script, nothing fetched."""

from __future__ import annotations

import base64
import hashlib
import hmac
import html
import secrets
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias, cast

from fastapi import FastAPI, Request, Response
from fastapi.responses import HTMLResponse

from numen.app import App
from numen.kernel import Forbidden, Json
from numen.surfaces.desk import Desk
from numen.surfaces.errors import foreseen, http_status
from numen.surfaces.http.route import Asked, add_route

ShowCard: TypeAlias = "Callable[[str, str], Awaitable[Sequence[str]]]"
"""The lines of the card as they stand now for a browser's session and a task."""

ShowMap: TypeAlias = "Callable[[str], Awaitable[str]]"
"""The picture of the map as SVG, as it stands now for a browser's session."""

FIRST_TASK = "look around"
"""The task whose card is shown while nobody has said another."""

STYLE = """
:root{color-scheme:light dark;--ink:#1c1b19;--paper:#f7f5f0;--faint:#6b675f}
@media(prefers-color-scheme:dark){:root{--ink:#e8e4da;--paper:#171614;--faint:#9a958a}}
body{margin:0;min-height:100vh;display:grid;place-content:center;background:var(--paper);color:var(--ink);
font:16px/1.5 ui-sans-serif,system-ui,sans-serif}
main{max-width:92vw;padding:1.5rem}
pre{font:15px/1.35 ui-monospace,SFMono-Regular,Menlo,monospace;overflow-x:auto;margin:0 0 1.25rem}
p{margin:.4rem 0;color:var(--faint);max-width:60ch}
form{display:flex;gap:.5rem;align-items:center;margin:0 0 .75rem}
input{flex:1;min-width:12rem}
input,button{font:inherit;color:inherit;background:transparent;border:1px solid var(--faint);
border-radius:4px;padding:.3rem .6rem}
svg{max-width:min(92vw,52rem);height:auto}
a{color:inherit}
code{font-family:ui-monospace,SFMono-Regular,Menlo,monospace;color:var(--ink)}
"""

_STYLE_HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()

HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": (
        f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; "
        "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""Nothing runs, nothing is fetched, nothing frames it; the one style sheet is allowed by its own digest."""


class Page:
    """Shown to whoever opened the one-time link; to anyone else it says how to get one.

    The link's code works once; the browser that used it holds a cookie that works while the process lives.
    The link answers with a page that goes on to `/`: a strict cookie is not sent where another site or
    program led the browser, and a redirect would still count as theirs.
    """

    def __init__(self, show_card: ShowCard, show_map: ShowMap, repository: str) -> None:
        self._show_card = show_card
        self._show_map = show_map
        self._repository = repository
        self._code: str | None = None
        self._sessions: set[str] = set()

    def new_code(self) -> str:
        """A fresh code for one browser; a code that was not used yet stops working."""
        self._code = secrets.token_urlsafe(24)
        return self._code

    def add_to(self, app: FastAPI, desk: Desk) -> None:
        """The page, the link that opens it, and the owner's way to a fresh link (`numen open`)."""
        app.add_api_route("/", self._first, methods=["GET"], include_in_schema=False)
        app.add_api_route("/map", self._map, methods=["GET"], include_in_schema=False)
        app.add_api_route("/open", self._open, methods=["GET"], include_in_schema=False)
        add_route(app, desk, "POST", "/v1/page/link", "A fresh link.", self._fresh_link, writes=False)

    def _fresh_link(self, app: App, asked: Asked) -> Json:
        if not app.people.resolve(asked.caller.door).is_owner:
            raise Forbidden("Only the owner may open the page.", not_done="No link was made.")
        return {"link": f"/open?code={self.new_code()}"}

    async def _open(self, request: Request) -> Response:
        given = request.query_params.get("code", "")
        if self._code is None or not hmac.compare_digest(given.encode(), self._code.encode()):
            return _page("<p>This link was used already, or is not from this server.</p>" + _HOW, 403)
        self._code = None
        token = secrets.token_urlsafe(32)
        self._sessions.add(_digest(token))
        response = _page("<p>Opening.</p>")
        response.headers["Refresh"] = "0; url=/"
        response.set_cookie(_cookie(request), token, httponly=True, samesite="strict", path="/")
        return response

    async def _first(self, request: Request) -> Response:
        session = self._session(request)
        if session is None:
            return _page(_HOW, 401)
        task = request.query_params.get("task", "").strip() or FIRST_TASK
        try:
            lines = await self._show_card(session, task)
        except Exception as error:  # noqa: BLE001 - the edge: every fault becomes words, none a traceback
            shown = foreseen(error)
            return _page(f"<p>{html.escape(shown.sentences())}</p>", http_status(shown))
        card, place, asked = (html.escape(part) for part in ("\n".join(lines), self._repository, task))
        return _page(
            f"<pre>{card}</pre>\n"
            '<form><label for="task">Task</label> '
            f'<input id="task" name="task" value="{asked}" maxlength="4000"> <button>north</button></form>\n'
            f"<p>The card of <code>{place}</code> for this task, as it stands now. "
            '<a href="/map">Its map</a></p>'
        )

    async def _map(self, request: Request) -> Response:
        session = self._session(request)
        if session is None:
            return _page(_HOW, 401)
        try:
            picture = await self._show_map(session)
        except Exception as error:  # noqa: BLE001 - the edge: every fault becomes words, none a traceback
            shown = foreseen(error)
            return _page(f"<p>{html.escape(shown.sentences())}</p>", http_status(shown))
        place = html.escape(self._repository)
        return _page(
            f"{picture}\n<p>The map of <code>{place}</code>: a whole rim was ratified, dashes are proposed, "
            'dots differ from the tree. <a href="/">Back</a></p>'
        )

    def _session(self, request: Request) -> str | None:
        """The name of the browser's session; None without a link that was opened or a proxy's word."""
        named = cast("str | None", getattr(request.state, "proxied", None))
        if named is not None:
            return named
        session = _digest(request.cookies.get(_cookie(request), ""))
        return session if session in self._sessions else None


_HOW = (
    "<p>Open the link that <code>numen up</code> printed in its terminal; it works once. "
    "<code>numen open</code> prints another.</p>"
)


def _cookie(request: Request) -> str:
    """Browsers share cookies between ports, so two servers need two names."""
    return f"numen_{request.url.port}"


def _digest(token: str) -> str:
    """The name of a browser's session: no one can get in by it."""
    return hashlib.sha256(token.encode()).hexdigest()


def _page(content: str, status: int = 200) -> HTMLResponse:
    document = (
        '<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>Numen</title><style>{STYLE}</style></head>\n<body><main>\n{content}\n</main></body>\n</html>\n"
    )
    return HTMLResponse(document, status, HEADERS)
