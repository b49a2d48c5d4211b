"""Certificates of the kind ``zones``; each of the two checks begins with the argument for it.

threats   of k-in-a-row games: the body, its check, and walks
carriers  of Hex: zones put together from smaller ones, and their check
write     making both
"""
