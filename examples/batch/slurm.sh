#!/usr/bin/env bash
# One part of a batch for each task of a Slurm array, from the folder in which paths of cases begin:
#   sbatch --array=0-15 --cpus-per-task=4 slurm.sh cases.jsonl
# A task that ran out of time goes on where it ended when it is submitted again.
#SBATCH --job-name=pto-batch
#SBATCH --time=01:00:00
set -euo pipefail
pto-run --batch "$1" --shard=auto --jobs "${SLURM_CPUS_PER_TASK:-1}" --results "results-$SLURM_ARRAY_TASK_ID.jsonl"
