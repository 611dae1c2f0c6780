"""Parts of a path that the framework would read otherwise; a route names them as `{name:policy}`."""

from starlette.convertors import PathConvertor, StringConvertor, register_url_convertor


class PolicyPart(StringConvertor):
    """The name of a policy; what stands after a colon is something to do with it."""

    regex = "[^/:]+"


class WholePart(PathConvertor):
    """All that is left, line breaks too: a name that a client chose can hold anything."""

    regex = "(?s:.*)"


POLICY, WHOLE = "policy", "whole"
register_url_convertor(POLICY, PolicyPart())
register_url_convertor(WHOLE, WholePart())
