package reduce

import (
	"time"

	"ptogo/ir"
)

// patience is how long a test waits for a smaller program.
const patience = time.Minute

// Failing is for tests: it returns the smallest program that it finds to fail as
// text does. fails says how a program does that, in the same words for the same
// mistake, or "".
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
