#!/bin/sh
# Adapter for pto-run and pto-opt, which must be in PATH.
# Usage: pto-run.sh run|verify|sync FOLDER. PTO_RUN_FLAGS has more flags for pto-run, such
# as --engine=llvm.
what=$1
cd "$2" || exit 2
set --
while read -r key first second; do
  case $key in
    profile) profile=$first ;;
    kernel) kernel=$first ;;
    blocks) blocks=$first ;;
    ranks) PTO_RUN_FLAGS="$PTO_RUN_FLAGS --ranks=$first" ;;
    buffer) set -- "$@" --arg "inout=$second" ;;
    scalar) set -- "$@" --arg "$second" ;;
    window) set -- "$@" --arg "window=${second}x$first" ;;
    context) set -- "$@" --arg comm ;;
  esac
done <launch.txt
case $what in
  verify) exec pto-opt program.pto --pto-arch="$profile" -o /dev/null ;;
  sync)
    pto-opt program.pto --pto-arch="$profile" --verify-sync=strict -o /dev/null && exit 0
    exit 1 ;; # a hazard, or an order that is not proved
esac
# shellcheck disable=SC2086 # several flags
exec pto-run program.pto --pto-arch="$profile" --kernel="$kernel" --blocks="$blocks" $PTO_RUN_FLAGS "$@"
