"""γ on this computer: measuring it, the curve, advice in a conversation, and Auto."""
