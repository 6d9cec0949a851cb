"""Runs a command and writes what it used to a file descriptor: "SECONDS BYTES CODE". It is small itself, since a process starts with
the peak memory of the one that it was forked from.

usage: launch.py FD CPU_LIMIT MEMORY_LIMIT COMMAND…     limits in seconds and bytes, 0: none
"""
import os
import resource
import sys

fd, seconds, size = (int(a) for a in sys.argv[1:4])
pid = os.fork()
if not pid:
    os.close(fd)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if seconds:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    if size:
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
    os.execv(sys.argv[4], sys.argv[4:])
_, status, used = os.wait4(pid, 0)
os.write(fd, f"{used.ru_utime + used.ru_stime} {used.ru_maxrss << 10} {os.waitstatus_to_exitcode(status)}".encode())
