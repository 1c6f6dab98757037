#!/usr/bin/env bash
# Tests the Python package with Debian's python3, numpy and pytest: its own tests, the
# examples, the suites that run without a checkout, and wheels, of which that for this
# machine is installed and used.
#   bash scripts/test-python.sh            all of it
#   bash scripts/test-python.sh --quick    without wheels
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
python=${PYTHON:-/usr/bin/python3}

go build -o bin/ ./cmd/pto-run ./cmd/pto-opt
export PTO_RUN=$root/bin/pto-run PTO_OPT=$root/bin/pto-opt PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH=$root/python${PYTHONPATH:+:$PYTHONPATH}

echo "-- python/tests"
"$python" -m pytest -q -p ptogo.pytest_plugin python/tests
echo "-- examples/python"
for example in softmax matmul sweep; do "$python" examples/python/$example.py >/dev/null; done
"$python" -m pytest -q -p ptogo.pytest_plugin examples/python
"$python" -m pytest -q -p ptogo.pytest_plugin --pto-check=init,mem examples/python
bin/pto-run --batch examples/batch/cases.jsonl >/dev/null
echo "-- public suites"
"$python" scripts/public_suites.py e2e-a3 e2e-a5
[ "${1:-}" != --quick ] || exit 0

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
for platform in "$(go env GOOS)-$(go env GOARCH)" darwin-arm64 windows-amd64; do
  echo "-- wheel for $platform"
  cp -r python "$dir/$platform" # setuptools leaves folders where it builds
  PTOGO_SOURCE=$root PTOGO_PLATFORM=$platform "$python" -m pip wheel -q --no-deps --no-build-isolation --no-index -w "$dir/wheels" "$dir/$platform"
done
ls "$dir/wheels"
unset PTO_RUN PTO_OPT PYTHONPATH
"$python" -m venv --system-site-packages --without-pip "$dir/venv"
"$python" -m pip --python "$dir/venv/bin/python" install -q --no-index "$dir"/wheels/*-manylinux*.whl
cd "$dir"
for tool in pto-run pto-opt pto-reduce pto-lsp-server; do venv/bin/$tool --version; done
venv/bin/python "$root/examples/python/softmax.py" >/dev/null
venv/bin/python -m pytest -q -p no:cacheprovider "$root/examples/python"
