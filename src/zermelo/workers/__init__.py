"""Processes beside the main one, on this machine and on a cluster.

processes     start, safe environment, end with the parent, end of the whole group
fork_server   copies of a process that has loaded everything, killed when their time is up
memory_limit  the memory that a process may take
messages      frames over pipes, and the loop of a worker
signals       handlers set for a while; Ctrl-C
crew          workers that answer orders, in this process or on this machine
ray_crew      the same on a Ray cluster
"""
