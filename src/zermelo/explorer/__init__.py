"""The explorer: a server for pages on this machine, and its API. It knows no game and no search:
those are in processes of their own, which it asks."""
