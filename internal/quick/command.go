// This file reads the command lines that this package supports.

package quick

import "strings"

// command is a command line of pto-run that has only the options that this package
// supports.
type command struct {
	path   string
	kernel string
	args   []string
	print  bool
}

// parse reads a command line. It returns false if the command line has an error or an
// option that only pto-run supports.
func parse(words []string) (c command, ok bool) {
	values := map[string]func(string){
		"--arg":    func(v string) { c.args = append(c.args, v) },
		"--kernel": func(v string) { c.kernel = v },
	}
	for i := 0; i < len(words); i++ {
		word := words[i]
		name, value, given := strings.Cut(word, "=")
		set := values[name]
		switch {
		case word == "--print":
			c.print = true
		case set != nil && given:
			set(value)
		case set != nil && i+1 < len(words):
			i++
			set(words[i])
		case strings.HasPrefix(word, "-") || c.path != "":
			return c, false
		default:
			c.path = word
		}
	}
	return c, strings.HasSuffix(c.path, ".pto")
}
