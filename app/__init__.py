"""The desktop application: a client of the engine."""
