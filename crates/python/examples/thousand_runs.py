"""A thousand runs of an own host as a frame, and a plot of them.

    python thousand_runs.py HOST [RUNS] [PLOT]

HOST is a scenario: a TOML or JSON file, or the id of a published run or an example. The runs go over the number of page volumes,
with as many seeds for each as it takes. PLOT is a file to write, etr.png unless named.
"""

import sys

import matplotlib
import zvmlab

matplotlib.use("agg")


def main(host: str, runs: int = 1000, plot: str = "etr.png") -> None:
    """Runs, prints the frame and writes the plot."""
    volumes = [1, 2, 4, 8]
    seeds = -(-runs // len(volumes))
    found = zvmlab.sweep(host, {"paging.volumes": volumes}, replications=seeds, processes=0)
    frame = found.table.to_pandas()
    print(frame[["paging.volumes", "seed", "etr", "pages_per_second"]])
    axes = frame.boxplot("etr", by="paging.volumes")
    axes.set_ylabel(f"{frame.attrs['labels']['etr']} ({frame.attrs['units']['etr']})")
    axes.set_title("")
    axes.figure.suptitle(f"{len(frame)} runs")
    axes.figure.savefig(plot, bbox_inches="tight")
    print(f"{len(frame)} runs; the plot is in {plot}")


if __name__ == "__main__":
    words = dict(enumerate(sys.argv))
    main(words[1], int(words.get(2, "1000")), words.get(3, "etr.png"))
