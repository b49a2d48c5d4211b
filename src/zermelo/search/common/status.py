"""What is known about a question: nothing yet, yes, or no. Set by logic alone, never by numbers."""

UNKNOWN, WON, LOST = 0, 1, 2
