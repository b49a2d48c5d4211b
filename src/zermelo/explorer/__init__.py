"""The explorer: a server for pages on this machine, and its API. The server knows no game and no
search: it asks processes of their own, which do.

In the server:

server           pages, API and events, put together
security         access: Host, Origin, token, content type and size
api              the addresses and their handlers, which pass questions on
sessions         sessions, their events and limits
processes        the server's end of the processes

In processes of their own:

query_worker     games, the board after a move, edits, pasted texts; the host of all processes
position_ref     references to positions: game, parameters, position and moves
session_kinds    the sessions: their requests and their work; what is known about searches
certificates     certificates, node by node
lab_work         experiments
"""
