#!/usr/bin/env bash
# Builds the wheels of all platforms in dist/wheels with their checksums, and uses those that
# can run here once: that of this machine in a new environment, and that of arm64 in an
# emulator if qemu-aarch64 is installed.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
python=${PYTHON:-/usr/bin/python3}
out=$root/dist/wheels
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rm -rf "$out"

for platform in linux-amd64 linux-arm64 darwin-amd64 darwin-arm64 windows-amd64 windows-arm64; do
  cp -r python "$work/$platform" # setuptools leaves folders where it builds
  PTOGO_SOURCE=$root PTOGO_PLATFORM=$platform "$python" -m pip wheel -q --no-deps --no-build-isolation --no-index -w "$out" "$work/$platform"
done
(cd "$out" && sha256sum ./*.whl | sed 's# \./# #' >checksums.txt && cat checksums.txt)

kernel=(examples/tutorial/affine.pto --arg iota=64x64xf32 --arg zeros=64x64xf32 --arg 2.0 --arg 1.0 --print)
tag=x86_64
[ "$(uname -m)" = x86_64 ] || tag=aarch64
echo "-- $(basename "$out"/*musllinux*_$tag.whl) in a new environment"
"$python" -m venv --without-pip "$work/venv" # without numpy, which the tools do not need
"$python" -m pip --python "$work/venv/bin/python" install -q --no-index --no-deps "$out"/*musllinux*_$tag.whl
"$work/venv/bin/pto-run" --version
"$work/venv/bin/python" -m ptogo run "${kernel[@]}" | tail -1
"$work/venv/bin/python" -c "import ptogo; print('import ptogo', ptogo.__version__)"
if [ $tag = x86_64 ] && command -v qemu-aarch64 >/dev/null; then
  echo "-- the tools for aarch64 in the emulator"
  "$python" -m zipfile -e "$out"/*musllinux*_aarch64.whl "$work/arm64"
  chmod +x "$work"/arm64/ptogo/bin/*
  qemu-aarch64 "$work/arm64/ptogo/bin/pto-run" "${kernel[@]}" | tail -1
fi
