"""Model files: what they are, and how the starter pair gets here."""
