// Package testsize determines how many cases a test tries.
//
// Random programs, sampled operands and comparisons with external tools find more errors
// the more cases they try, but need processor time in proportion. By default, as in go
// test ./..., these tests try a few cases. With the environment variable PTO_TESTS=all,
// which .ci/run sets, they try all. Tests without such a choice do not use this package.
package testsize

import "os"

// All reports whether tests are to run at full size, because PTO_TESTS is "all".
func All() bool { return os.Getenv("PTO_TESTS") == "all" }

// Of returns the parameter all if tests run at full size, and the parameter few
// otherwise.
func Of(few, all int) int {
	if All() {
		return all
	}
	return few
}
