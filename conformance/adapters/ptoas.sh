#!/bin/sh
# Adapter for the public compiler ptoas: it compiles the C++ that ptoas writes with the
# public CPU simulator, loads the buffers and calls the kernel.
# Usage: ptoas.sh run|verify|sync FOLDER, with these variables:
#   PTOAS    the command of the compiler (default: ptoas)
#   PTO_ISA  a checkout of pto-isa, whose headers are the simulator
#   CXX      the C++ compiler (default: clang++-19)
# ptoas inserts synchronization and does not judge it, so "sync" is not supported.
what=$1
host=$(cd "$(dirname "$0")/../../tools/cpptest/host" && pwd) || exit 2
main=$(cd "$(dirname "$0")" && pwd)/ptoas.cpp
cd "$2" || exit 2
while read -r key first second; do
  case $key in
    profile) profile=$first ;;
    kernel) kernel=$first ;;
    blocks) blocks=$first ;;
    ranks) exit 77 ;; # the simulator has one rank
  esac
done <launch.txt
[ "$what" = sync ] && exit 77

# shellcheck disable=SC2086 # a command with options
${PTOAS:-ptoas} --pto-arch="$profile" --enable-insert-sync program.pto -o kernel.cpp 2>messages || {
  head -1 messages
  exit 1
}
[ "$what" = verify ] && exit 0

a5=false
[ "$profile" = a5 ] && a5=true
${CXX:-clang++-19} -std=c++23 -D__STDCPP_BFLOAT16_T__=1 -O0 -ffp-contract=off -DNDEBUG -DPTO_CPU_MAX_THREADS=1 -D__CPU_SIM \
  -D__DAV_VEC__ -D__DAV_CUBE__ -w -I"$host" -I"$host/.." -I"$host/include" -I"${PTO_ISA:?names no checkout of pto-isa}/include" \
  -DLAUNCH_KERNEL="$kernel" -DLAUNCH_A5=$a5 -DLAUNCH_BLOCKS="$blocks" -DLAUNCH_FILE='"kernel.cpp"' -I. "$main" -o kernel -rdynamic -lpthread -ldl 2>messages || {
  grep -m 1 'error:' messages # what the simulator lacks
  exit 77
}
exec ./kernel
