"""How Python becomes machine code, and how that is kept on disk and called."""
