"""What tests share: tiny models, stand-ins, and the watch over what a test leaves behind."""
