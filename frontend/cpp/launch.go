// This file rewrites launches in C++ text.

package cpp

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// runRewriting executes the compiler. If an included file of the user has launches, which
// clang does not parse, the compiler runs again with a copy in which they are calls. The
// parameter dir is a folder for the copies.
func runRewriting(clang, dir string, args []string) error {
	err := run(clang, args...)
	var refused *compileError
	type entry struct {
		Name     string `json:"name"`
		Type     string `json:"type"`
		Contents string `json:"external-contents"`
	}
	var roots []entry
	rewritten := map[string]bool{}
	for errors.As(err, &refused) {
		before := len(roots)
		for _, m := range compilerLine().FindAllStringSubmatch(refused.text, -1) {
			file, absErr := filepath.Abs(m[1])
			text, readErr := os.ReadFile(file)
			if absErr != nil || readErr != nil || rewritten[file] || !isUserFile(file) {
				continue
			}
			rewritten[file] = true
			changed := rewriteLaunches(string(text))
			if changed == string(text) {
				continue
			}
			contents := filepath.Join(dir, "included-"+strconv.Itoa(len(roots)))
			if err := os.WriteFile(contents, []byte(changed), 0o600); err != nil {
				return err
			}
			roots = append(roots, entry{file, "file", contents})
		}
		if len(roots) == before {
			return err
		}
		overlay := filepath.Join(dir, "overlay.json")
		text, _ := json.Marshal(map[string]any{"version": 0, "use-external-names": false, "roots": roots})
		if err := os.WriteFile(overlay, text, 0o600); err != nil {
			return err
		}
		err = run(clang, append([]string{"-ivfsoverlay", overlay}, args...)...)
	}
	return err
}

// rewriteLaunches replaces the launch syntax of the vendor's compiler, which clang does
// not have, by calls: NAME<...><<<CONFIG>>>( becomes ptogo_launch_with(CONFIG), NAME<...>(.
// Lines keep their numbers. The text of comments, strings and characters stays as it is.
func rewriteLaunches(text string) string {
	var out strings.Builder
	done := 0
	for i := 0; i < len(text); {
		if next := skipText(text, i); next > i {
			i = next
			continue
		}
		if !strings.HasPrefix(text[i:], "<<<") {
			i++
			continue
		}
		end := closing(text, i+3)
		start := launchedName(text[done:i])
		if end < 0 || start < 0 {
			i += 3
			continue
		}
		start += done
		out.WriteString(text[done:start] + "ptogo_launch_with(" + text[i+3:end] + "), " + text[start:i])
		done, i = end+3, end+3
	}
	out.WriteString(text[done:])
	return out.String()
}

// skipText returns the position after the comment, string or character literal that
// starts at i, or i if there is none.
func skipText(text string, i int) int {
	rest := text[i:]
	after := func(end string, from int) int {
		if k := strings.Index(rest[from:], end); k >= 0 {
			return i + from + k + len(end)
		}
		return len(text)
	}
	switch {
	case strings.HasPrefix(rest, "//"):
		return after("\n", 2)
	case strings.HasPrefix(rest, "/*"):
		return after("*/", 2)
	case strings.HasPrefix(rest, `R"`):
		open := strings.IndexByte(rest, '(')
		if open < 0 || open > 18 {
			return i
		}
		return after(")"+rest[2:open]+`"`, open)
	case rest[0] == '"' || rest[0] == '\'' && (i == 0 || !isWord(text[i-1])):
		for k := 1; k < len(rest); k++ {
			switch rest[k] {
			case '\\':
				k++
			case '\n':
				return i
			case rest[0]:
				return i + k + 1
			}
		}
	}
	return i
}

// closing returns the position of the >>> that ends a launch configuration from i on, or
// -1.
func closing(text string, i int) int {
	depth := 0
	for i < len(text) {
		if next := skipText(text, i); next > i {
			i = next
			continue
		}
		switch c := text[i]; {
		case c == '(' || c == '{' || c == '[':
			depth++
		case c == ')' || c == '}' || c == ']':
			depth--
		case c == ';' || depth < 0:
			return -1
		case depth == 0 && strings.HasPrefix(text[i:], ">>>"):
			return i
		}
		i++
	}
	return -1
}

// launchedName returns the position in text of the name, with its template arguments, at
// the end of text, or -1.
func launchedName(text string) int {
	i := len(strings.TrimRight(text, " \t\n"))
	if i > 0 && text[i-1] == '>' {
		depth := 0
		for i > 0 {
			i--
			if text[i] == '>' {
				depth++
			} else if text[i] == '<' {
				if depth--; depth == 0 {
					break
				}
			} else if text[i] == ';' || text[i] == '{' || text[i] == '}' {
				return -1
			}
		}
		if depth > 0 {
			return -1
		}
		i = len(strings.TrimRight(text[:i], " \t\n"))
	}
	start := i
	for start > 0 && (isWord(text[start-1]) || text[start-1] == ':' || text[start-1] == '#') { // a macro may paste the name
		start--
	}
	if start == i || '0' <= text[start] && text[start] <= '9' {
		return -1
	}
	return start
}

func isWord(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// Launched returns the name of the kernel that the C++ text launches, without template
// arguments, and the number of blocks if the launch states it as a number or as a constant of
// the text, or 0. The name is "" if the text launches no kernel or several.
func Launched(text string) (kernel string, blocks int) {
	for i := 0; i < len(text); {
		if next := skipText(text, i); next > i {
			i = next
			continue
		}
		if !strings.HasPrefix(text[i:], "<<<") {
			i++
			continue
		}
		start, end := launchedName(text[:i]), closing(text, i+3)
		if start < 0 || end < 0 {
			i += 3
			continue
		}
		name, _, _ := strings.Cut(strings.TrimSpace(text[start:i]), "<")
		name = name[strings.LastIndex(name, ":")+1:]
		if kernel != "" && kernel != name {
			return "", 0
		}
		first, _, _ := strings.Cut(text[i+3:end], ",")
		n, err := strconv.Atoi(constantOf(text, strings.TrimSpace(first)))
		if err != nil || kernel != "" && n != blocks {
			n = 0
		}
		kernel, blocks = name, n
		i = end + 3
	}
	return kernel, blocks
}

// constantOf returns the number with which the text initializes the constant of the given
// name, if it has one definition of such a constant, and else the name.
func constantOf(text, name string) string {
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return r >= 128 || !isWord(byte(r)) }) || '0' <= name[0] && name[0] <= '9' {
		return name
	}
	all := regexp.MustCompile(`\b(?:constexpr|const)\s+[\w:\s]*\b`+name+`\s*=\s*(\d+)\s*;`).FindAllStringSubmatch(text, 2)
	if len(all) != 1 {
		return name
	}
	return all[0][1]
}
