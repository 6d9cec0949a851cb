"""How long a test waits for a process: for as long as that works, however slow or busy the machine is, and not for one that sleeps."""
import pathlib
import select

LIMIT = 900  # seconds: what still runs then does not end
ASLEEP = 20  # seconds in which nobody ran: nothing comes any more


def tree(pid):
    """The process and all that descend from it."""
    yield pid
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*"):
        try:
            children = (task / "children").read_text().split()
        except OSError:  # it has ended meanwhile
            continue
        for child in children:
            yield from tree(int(child))


def works(pid):
    """Whether one of them runs, waits for a processor or for a disk at this moment."""
    for each in tree(pid):
        for stat in pathlib.Path(f"/proc/{each}/task").glob("*/stat"):
            try:
                if stat.read_text().rpartition(")")[2].split()[0] in "RD":
                    return True
            except OSError:
                continue
    return False


def readable(file, pid):
    """Whether there is something to read, once there is or nobody will write any more."""
    asleep = 0
    for _ in range(LIMIT):
        if select.select([file], [], [], 1)[0]:
            return True
        asleep = 0 if works(pid) else asleep + 1
        if asleep == ASLEEP:
            return False
    return False
