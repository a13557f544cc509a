#!/usr/bin/env bash
# A real SLURM on this machine's loopback interface: the smoke preset through profiles/slurm, and what can go wrong there.
# What `make test-slurm` runs, with its python; installs Debian's packages first where it may.
set -euo pipefail
cd "$(dirname "$0")/.."
python=$1
if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null && ! command -v slurmctld > /dev/null; then
    log=$(mktemp)
    { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        slurmctld slurmd slurm-client munge; } > "$log" 2>&1 ||
        { tail -5 "$log"; echo "SLURM's packages cannot be had"; }
fi
# -s: the table of all jobs is printed at the end; -rs: and why a test was skipped.
"$python" -m pytest -s -rs -m slurm tests/slurm
