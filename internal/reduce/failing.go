// This file reduces programs in failing tests.

package reduce

import (
	"time"

	"ptogo/ir"
)

// patience is the time limit for reducing a failing program in a test.
const patience = time.Minute

// Failing is for tests. It reduces the program text to the smallest program it finds that
// fails in the same way, and returns this program. The function fails returns a
// description of how a program fails, or "" if it does not fail. Failing compares
// descriptions, so they must be equal for the same defect. If text does not fail or
// cannot be read, Failing returns it unchanged.
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
