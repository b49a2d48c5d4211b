"""Games that were played: reading them, annotating them, following how they went."""
