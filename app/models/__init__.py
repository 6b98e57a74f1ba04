"""The models: what is here, what suits this machine, what the Hub has, and what is on its way."""
