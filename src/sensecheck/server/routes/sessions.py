"""`DELETE /v1/sessions/{session_id}`: forget what was said in a session."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path
from pydantic import BaseModel, Field
from starlette.requests import Request

from sensecheck.server.caller import Caller
from sensecheck.server.entry.doorman import Admits
from sensecheck.server.entry.reading import ServiceRoute
from sensecheck.server.http.documented import documented
from sensecheck.server.http.path_parts import WHOLE
from sensecheck.server.parts import Parts
from sensecheck.server.shapes.texts import SessionId

router = APIRouter(route_class=ServiceRoute, tags=["sessions"])


class Erased(BaseModel):
    """What was forgotten."""

    erased: int = Field(description="Messages that were there; 0 where there were none.")


@router.delete(
    f"/v1/sessions/{{session_id:{WHOLE}}}", responses=documented(counted=True), operation_id="erase_session"
)
async def erase_session(
    request: Request,
    session_id: Annotated[SessionId, Path(description="As it was sent with questions and checks.")],
    caller: Annotated[Caller, Depends(Admits("sessions"))],
) -> Erased:
    """Erase all messages of a session, with answers that were held back, labels and feedback.

    What waits to be written on this or another machine is not written any more.
    """
    parts: Parts = request.app.state.parts
    await parts.limiter.take(caller, None, 0)
    project = caller.key.project
    return Erased(erased=await parts.desk.ask(lambda store: store.erase_session(project, session_id)))
