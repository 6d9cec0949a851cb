"""A Jupyter kernel for Relax and TVMScript: a session of `rlx kernel` behind ipykernel's wrapper."""

__version__ = "0.1.0"
