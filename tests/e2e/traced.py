"""What strace wrote of a process, for the tests that kill one at its calls."""
import collections


def calls_made(log, calls):
    """How often each of the calls stands in the log."""
    counts = collections.Counter()
    with open(log, encoding="utf-8", errors="replace") as f:
        for line in f:
            name = line.split("(")[0]
            if name in calls:
                counts[name] += 1
    return counts
