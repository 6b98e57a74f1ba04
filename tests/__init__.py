"""The tests: a folder for each of ``engine`` and ``app``, mirroring it, and what they share."""
