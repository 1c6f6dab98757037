// Package testsize says how much a test tries.
//
// Random programs, sampled operands and cases that are compared with an outside
// tool show more the more there are of them, and cost processor time in
// proportion. What a developer runs after each change,
//
//	go test ./...
//
// tries a few of each. With the environment variable PTO_TESTS=all, which .ci/run
// sets, the same tests try all. A test that is not about such numbers does not
// ask.
package testsize

import "os"

// All reports whether tests are to run at full size, because PTO_TESTS is "all".
func All() bool { return os.Getenv("PTO_TESTS") == "all" }

// Of returns all if tests run at full size, otherwise few.
func Of(few, all int) int {
	if All() {
		return all
	}
	return few
}
