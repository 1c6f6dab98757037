// This file writes a launch as a command line.

package playground

import (
	"strconv"
	"strings"
)

// Launch describes how a kernel is launched. Its fields have the meaning of the pto-run
// options with the same names.
type Launch struct {
	Kernel string   `json:"kernel,omitempty"`
	Target string   `json:"target,omitempty"`
	Blocks int      `json:"blocks,omitempty"`
	Ranks  int      `json:"ranks,omitempty"`
	Args   []string `json:"args,omitempty"`
	// Expect lists the expected contents of arguments in files: N=PATH,rtol=X,atol=Y.
	Expect []string `json:"expect,omitempty"`
}

// commandOf returns the first pto-run command in the comments of a program, or nil. A
// line that ends in a backslash continues on the next line. Options that the web page
// does not support are ignored.
func commandOf(text string) *Launch {
	var command string
	for line := range strings.Lines(text) {
		comment, ok := strings.CutPrefix(strings.TrimSpace(line), "//")
		if !ok {
			if command != "" || strings.TrimSpace(line) != "" {
				break
			}
			continue
		}
		comment = strings.TrimSpace(comment)
		if command == "" && !strings.HasPrefix(comment, "pto-run ") {
			continue
		}
		part, continues := strings.CutSuffix(comment, `\`)
		command += " " + part
		if !continues {
			break
		}
	}
	if command == "" {
		return nil
	}
	return parseLaunch(strings.Fields(command))
}

// parseLaunch parses the options of a pto-run command, given as words. The command comes
// from the comments of a program.
func parseLaunch(words []string) *Launch {
	l := &Launch{}
	for i := 0; i < len(words); i++ {
		name, value, joined := strings.Cut(words[i], "=")
		next := func() string {
			if joined {
				return value
			}
			if i+1 < len(words) {
				i++
				return words[i]
			}
			return ""
		}
		switch name {
		case "--kernel":
			l.Kernel = next()
		case "--pto-arch":
			l.Target = next()
		case "--blocks":
			l.Blocks, _ = strconv.Atoi(next())
		case "--ranks":
			l.Ranks, _ = strconv.Atoi(next())
		case "--arg":
			l.Args = append(l.Args, next())
		case "--expect":
			l.Expect = append(l.Expect, next())
		}
	}
	return l
}
