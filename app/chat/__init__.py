"""The conversation on the screen: the transcript above, the composer below."""
