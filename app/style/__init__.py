"""How Qt's own controls are drawn: flat, rounded, in the theme's colours. Fusion does the rest.

A push or tool button may carry the property "look": "primary" (the one loud button of a place),
"danger", "quiet" (bare until pointed at) or "segment" (one of a row of choices).
"""

from app.style.style import Style

__all__ = ["Style"]
