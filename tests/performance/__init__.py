"""Benchmarks that stand behind the figures in docs/performance.md: ``make performance``."""
