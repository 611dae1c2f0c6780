"""What is told of the state of the service."""

from pydantic import BaseModel, Field


class Readiness(BaseModel):
    """Which parts work."""

    ready: bool = Field(description="Whether requests can be answered.")
    engine: bool = Field(description="Whether an engine judges.")
    store: bool = Field(description="Whether the database answers.")
    spool: bool = Field(
        description="Whether messages can be kept, if need be here until the database has them."
    )
