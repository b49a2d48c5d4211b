"""Coverage-guided fuzzing of all that reads what others have written: files, messages, texts.

    make fuzz MINUTES=30 TARGET=certificates

Inputs that are worth keeping are in ``tests/data/fuzz``, and ``tests/house/test_fuzz.py`` reads
them all.
"""
