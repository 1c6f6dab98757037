package repair

import (
	"regexp"
	"sync"
)

// pattern returns a function that compiles a regular expression on its first call. Every
// start of the tools imports this package, but few runs repair a program, so compiling the
// expressions at package initialization would slow down every start.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
