"""Our checks inside other tools of the field: one small file per tool."""
