"""What is told of limits."""

from pydantic import BaseModel, Field


class Sizes(BaseModel):
    """How large a request may be."""

    body_bytes: int
    selected_text_characters: int = Field(description="What is longer is cut, and said to be.")
    related_sections: int = Field(description="Of a page, in one request to `/v1/related`.")
    related_section_characters: int = Field(description="In each of them.")
    related_characters: int = Field(description="In all of them together.")


class Rates(BaseModel):
    """How many requests in a minute; null for any number."""

    key: int | None
    session: int | None
    address: int | None


class Limits(BaseModel):
    """What the caller may do, and how much of it."""

    project: str
    kind: str
    scopes: list[str]
    per_minute: Rates
    daily_budget: int | None = Field(description="Tokens, about; null for any number.")
    policy: str = Field(description="That of requests which name none.")
    policies: list[str] = Field(description="Those that a request may name, besides fitted ones.")
    sizes: Sizes
