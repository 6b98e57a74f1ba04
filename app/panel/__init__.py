"""The live panel: what a reply's figures are, in words and in pictures."""
