"""The terminal front end: a client of the engine, without Qt and without a display."""
