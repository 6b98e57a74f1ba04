"""``foreword --selftest``: does this installation work? No network, no models, no display."""
