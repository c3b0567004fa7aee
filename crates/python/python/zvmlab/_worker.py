"""A process of the pool: reads batches from standard input and writes their results to standard output. No module of the caller is
imported again, so a script needs no guard."""

from __future__ import annotations

import pickle
import sys

from ._work import perform


def main() -> None:
    """Performs what comes until there is no more."""
    while True:
        try:
            task = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        result: object
        try:
            result = perform(task)
        except Exception as error:  # The other end raises it.
            result = error
        pickle.dump(result, sys.stdout.buffer)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        pass  # Ctrl-C goes to all processes; the caller tells it.
