// This file reduces programs in failing tests.

package reduce

import (
	"time"

	"ptogo/ir"
)

// patience is the time limit for reducing a failing program in a test.
const patience = time.Minute

// Failing returns the smallest program it finds that fails like text. It is for
// tests. fails returns a description of how a program fails, or "" if it does not.
// The description must be the same for the same defect, because it is compared.
// Failing returns text unchanged if text does not fail or cannot be read.
func Failing(text string, fails func(text string) string) string {
	how := fails(text)
	end := time.Now().Add(patience)
	small, err := Reduce(&ir.Source{Name: "failing.pto", Text: text}, Options{
		Workers:     1, // other tests run at the same time
		Interesting: func(text []byte) bool { return time.Now().Before(end) && fails(string(text)) == how },
	})
	if how == "" || err != nil {
		return text
	}
	return string(small)
}
