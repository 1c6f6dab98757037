// Package pattern compiles regular expressions when they are first used.
package pattern

import (
	"regexp"
	"sync"
)

// Of returns a function that compiles a regular expression on its first call. Packages that
// every start of the tools imports use it, because compiling their expressions at package
// initialization would slow down every start. The function panics if text has no valid syntax.
func Of(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
