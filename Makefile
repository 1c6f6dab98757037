# Tasks of the project. Each is a plain command, so make is not required.

.PHONY: all check test long fuzz-long bench generate ci release-check
all: check test

check:
	test -z "$$(gofmt -l .)"
	go vet ./...
	go run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./...

test:
	go test ./...

# Random programs, as many as an hour on two cores allows.
long:
	go test ./test/diff -run Tiles -timeout 0 -args -n 20000
	go test ./test/diff -run Vectors -timeout 0 -args -n 5000
	go test ./test/diff -run Overlaps -timeout 0 -args -n 500
	go test ./test/diff -run Scalars -timeout 0 -args -n 2000
	go test ./test/sync -run Adversary -timeout 0 -args -adversaries 200000
	go test ./test/mutate -run Mutations -timeout 0 -args -n 1000000

# Every fuzz target longer, changed programs through opt and clang++, sanitizers: hours.
# scripts/fuzz-long.sh lists the counts.
fuzz-long:
	bash scripts/fuzz-long.sh

bench:
	go test -run XXX -bench . ./tools/bench

generate:
	go run ./tools/docs/gen
	go run ./tools/roundtrip/gen
	go run ./tools/pybind/gen

ci:
	bash .ci/run

# All files of a release from a clean clone, as a snapshot: minutes. docs/release.md explains it.
release-check:
	bash scripts/release.sh
	bash scripts/wheels.sh
	bash scripts/npm.sh --pack
	bash scripts/vscode.sh
