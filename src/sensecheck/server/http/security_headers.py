"""Headers that keep a browser from guessing, storing or running anything of ours."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "cross-origin",
}
"""`cross-origin`: which pages may read an answer is said by its key, not by where the page lives."""

_RAW = tuple((name.lower().encode(), value.encode()) for name, value in HEADERS.items())


class SecurityHeaders:
    """Puts them on every answer that does not say otherwise."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                said = message.get("headers", ())
                names = {name for name, _ in said}
                message["headers"] = [*said, *(pair for pair in _RAW if pair[0] not in names)]
            await send(message)

        await self._app(scope, receive, guarded if scope["type"] == "http" else send)
