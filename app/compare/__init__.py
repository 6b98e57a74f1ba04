"""The comparison: one prompt, two columns, and what came of it."""
