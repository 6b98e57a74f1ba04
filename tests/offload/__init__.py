"""Layers on a device, for real: llama.cpp's RPC backend makes another process one."""

PORT = "RPC_DEVICE_PORT"
"""The environment variable that says where the device listens."""
