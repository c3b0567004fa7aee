"""A process of the pool: reads jobs from standard input, line by line, and writes their results to standard output."""

from __future__ import annotations

import json
import sys

from . import _native


def main() -> None:
    """Runs what comes until there is no more."""
    for line in sys.stdin.buffer:
        asked = json.loads(line)
        places = {number: place for place, number in enumerate(asked["numbers"])}
        try:
            hosts = [_native.Host.text(text) for text in asked["hosts"]]
            jobs = [(places[host], seed) for host, seed in asked["jobs"]]
            kind, body = b"ok", _native.run_jobs(hosts, jobs, 1, None).renumbered(asked["numbers"]).to_bytes()
        except Exception as error:  # The other end raises it.
            kind, body = b"failed", f"{type(error).__name__}: {error}".encode()
        sys.stdout.buffer.write(kind + b" " + str(len(body)).encode() + b"\n" + body)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        pass  # Ctrl-C goes to all processes; the caller tells it.
