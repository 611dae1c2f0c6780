"""Values and protocols; numpy only, no input or output."""
