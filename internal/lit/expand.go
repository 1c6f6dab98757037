// This file expands variables and globs.

package lit

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// variable matches $NAME and ${NAME}.
var variable = regexp.MustCompile(`\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})`)

// expandVariables replaces $NAME and ${NAME} if the variable is set. Other text is
// unchanged, because FileCheck patterns contain many $.
func (sh *shell) expandVariables(text string) string {
	if !strings.Contains(text, "$") {
		return text
	}
	return variable.ReplaceAllStringFunc(text, func(ref string) string {
		if value, ok := lookupEnv(sh.env, strings.Trim(ref, "${}")); ok {
			return value
		}
		return ref
	})
}

// text returns the word w as one argument: with variables expanded, but without globbing.
func (sh *shell) text(w word) string {
	var b strings.Builder
	for _, f := range w {
		if f.single {
			b.WriteString(f.text)
			continue
		}
		b.WriteString(sh.expandVariables(f.text))
	}
	return b.String()
}

// args expands words to arguments, including globs. A glob without a matching file is
// used literally.
func (sh *shell) args(words []word) []string {
	var args []string
	for _, w := range words {
		text := sh.text(w)
		if pattern, ok := globPattern(w, text); ok {
			if found := sh.glob(pattern); len(found) > 0 {
				args = append(args, found...)
				continue
			}
		}
		args = append(args, text)
	}
	return args
}

// globPattern returns a pattern for filepath.Glob if the word w contains *, ? or [
// outside quotes. The second result is false if it does not. Quoted parts of the word are
// escaped. text is the expanded text of the word.
func globPattern(w word, text string) (string, bool) {
	isGlob := func(f fragment) bool { return !f.quoted && strings.ContainsAny(f.text, "*?[") }
	if !slices.ContainsFunc(w, isGlob) {
		return "", false
	}
	if len(w) == 1 {
		return text, true
	}
	var b strings.Builder
	for _, f := range w {
		if f.quoted {
			b.WriteString(globEscaper.Replace(f.text))
		} else {
			b.WriteString(f.text)
		}
	}
	return b.String(), true
}

// globEscaper escapes the characters that are special in a glob.
var globEscaper = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`)

// glob returns the names of the files that match a pattern. They are relative if the
// pattern is.
func (sh *shell) glob(pattern string) []string {
	relative := !filepath.IsAbs(pattern)
	if relative {
		pattern = filepath.Join(globEscaper.Replace(sh.dir), pattern)
	}
	found, err := filepath.Glob(pattern)
	if err != nil {
		return nil
	}
	if relative {
		for i, f := range found {
			if rel, err := filepath.Rel(sh.dir, f); err == nil {
				found[i] = rel
			}
		}
	}
	return found
}

// path returns an absolute file name, relative to the directory of the shell.
func (sh *shell) path(name string) string {
	if filepath.IsAbs(name) || name == "" {
		return name
	}
	return filepath.Join(sh.dir, name)
}

// open opens the target of a redirection. name is the path of the file, and op is the
// operator of the redirection, such as > or >>.
func (sh *shell) open(op, name string) (*os.File, error) {
	if name == "/dev/null" {
		name = os.DevNull
	}
	switch op {
	case "<":
		return os.Open(sh.path(name))
	case ">>", "&>>":
		return os.OpenFile(sh.path(name), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	}
	return os.Create(sh.path(name))
}
