"""Pictures of kept runs, as files of their own: SVG, and PNG where a page wants one."""
