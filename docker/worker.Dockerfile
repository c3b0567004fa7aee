# A worker of sweeps on Dask: a process for each processor, each with one thread. In the folder of a
# release, which `./run release` leaves in target/:
#
#   docker build --file worker.Dockerfile --tag zvmlab-worker .
#   docker run --rm zvmlab-worker tcp://SCHEDULER:8786
#
# The client must have the same versions of zvmlab, Dask and Python; constraints.txt of the release says which.
ARG BASE=python:3.11-slim-bookworm
FROM ${BASE}
COPY zvmlab-*.whl constraints.txt /tmp/release/
RUN python3 -m venv /opt/zvmlab \
 && /opt/zvmlab/bin/pip install --no-cache-dir --constraint /tmp/release/constraints.txt "$(ls /tmp/release/zvmlab-*.whl)[sweep,dask]" \
 && rm -r /tmp/release
ENV PATH=/opt/zvmlab/bin:$PATH
USER 10001:10001
WORKDIR /tmp
ENTRYPOINT ["dask", "worker", "--nworkers=-1", "--nthreads=1", "--no-dashboard", "--local-directory=/tmp"]
