// This file reads the directives of a test file.

package lit

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// script contains the directives of a test file.
type script struct {
	// steps are the RUN, DEFINE and REDEFINE lines, in order.
	steps       []directive
	requires    []directive
	unsupported []directive
	xfail       []directive
}

// directive is a keyword of a test file with the text after it.
type directive struct {
	keyword string
	line    int
	text    string
}

// keywords lists the keywords of a test file. Only the first keyword on a line counts.
var keywords = []string{"RUN:", "REQUIRES:", "UNSUPPORTED:", "XFAIL:", "DEFINE:", "REDEFINE:", "END."}

// parseScript reads the directives of a file.
func parseScript(text string) (*script, error) {
	s := &script{}
	var open *directive // the directive that a backslash continues, or nil
	for i, line := range strings.Split(text, "\n") {
		keyword, rest := findKeyword(strings.TrimSuffix(line, "\r"))
		if keyword == "" {
			continue
		}
		if keyword == "END." {
			break
		}
		rest = expandLine(strings.Trim(rest, " \t"), i+1)
		if open != nil {
			if keyword != open.keyword {
				return nil, fmt.Errorf("line %d: %s follows a line that ends with a backslash; expected %s", i+1, keyword, open.keyword)
			}
			open = open.join(rest)
		} else {
			open = s.add(directive{keyword, i + 1, rest})
		}
		if open != nil && !strings.HasSuffix(open.text, `\`) {
			open = nil
		}
	}
	if open != nil {
		return nil, fmt.Errorf("line %d: %s ends with a backslash, so it requires another line", open.line, open.keyword)
	}
	return s, nil
}

// findKeyword returns the first keyword of a line and the text after it. A keyword
// at the end of a longer word does not count.
func findKeyword(line string) (keyword, rest string) {
	best := len(line)
	for _, k := range keywords {
		from := 0
		for {
			i := strings.Index(line[from:], k)
			if i < 0 {
				break
			}
			if i += from; i == 0 || !isWordByte(line[i-1]) {
				if i < best {
					best, keyword = i, k
				}
				break
			}
			from = i + 1
		}
	}
	if keyword == "" {
		return "", ""
	}
	return keyword, line[best+len(keyword):]
}

// isWordByte reports whether the byte c can be part of a word. A keyword that directly
// follows such a byte is the end of a longer word, so it does not count as a keyword.
func isWordByte(c byte) bool {
	return c == '-' || c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// add adds a directive to the script. If a backslash may continue the directive on the
// next line, it returns a pointer to the directive. If not, it returns nil.
func (s *script) add(d directive) *directive {
	list := &s.steps
	switch d.keyword {
	case "REQUIRES:":
		list = &s.requires
	case "UNSUPPORTED:":
		list = &s.unsupported
	case "XFAIL:":
		list = &s.xfail
	}
	*list = append(*list, d)
	if list != &s.steps {
		return nil
	}
	return &s.steps[len(s.steps)-1]
}

// join appends the text rest to the directive, if the directive continues on the next
// line of the test file. It removes the backslash at the end of the first line.
func (d *directive) join(rest string) *directive {
	d.text = strings.TrimSuffix(d.text, `\`)
	if d.keyword != "RUN:" {
		d.text = strings.TrimRight(d.text, " \t") + " "
	}
	d.text += rest
	return d
}

// lineReference matches %(line), and %(line+N) or %(line-N) for each number N.
var lineReference = regexp.MustCompile(`%\(line *(?:([+-]) *([0-9]+))?\)`)

// expandLine returns the text with references to line numbers, such as %(line+1),
// replaced.
func expandLine(text string, lineNumber int) string {
	return lineReference.ReplaceAllStringFunc(text, func(ref string) string {
		m := lineReference.FindStringSubmatch(ref)
		n, _ := strconv.Atoi(m[2])
		if m[1] == "-" {
			n = -n
		}
		return strconv.Itoa(lineNumber + n)
	})
}
