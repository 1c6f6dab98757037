// This file compares the commands of tests.

package review

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// command is a command line of pto-run or pto-opt.
type command struct {
	tool  string
	flags map[string][]string
	words []string
	// text is the line, and ignored that its failure does not count.
	text    string
	ignored bool
}

// toolWord matches the word that starts a command.
var toolWord = regexp.MustCompile(`^(?:.*/)?(pto-run|pto-opt)$`)

// ignoring matches the end of a line that hides a failure.
var ignoring = regexp.MustCompile(`\|\|\s*(true|:|exit 0|echo\b.*)|;\s*(true|:|exit 0)\s*$`)

// commandsOf returns the commands of pto-run and pto-opt in a text.
func commandsOf(text string) []*command {
	text = strings.ReplaceAll(text, "\\\n", " ")
	var all []*command
	for line := range strings.Lines(text) {
		words := split(line)
		for i, w := range words {
			m := toolWord.FindStringSubmatch(w)
			if m == nil {
				continue
			}
			c := &command{tool: m[1], flags: map[string][]string{}, text: strings.TrimSpace(line), ignored: ignoring.MatchString(line)}
			c.read(words[i+1:])
			if i > 0 && words[i-1] == "not" {
				c.flags["not"] = []string{""}
			}
			all = append(all, c)
		}
	}
	return all
}

// split returns the words of a shell line. Quotes keep blanks in a word.
func split(line string) []string {
	var words []string
	var word strings.Builder
	open, quote := false, rune(0)
	for _, c := range line {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(c)
		case c == '\'' || c == '"':
			quote, open = c, true
		case c == ' ' || c == '\t' || c == '\n':
			if open {
				words = append(words, word.String())
			}
			word.Reset()
			open = false
		default:
			word.WriteRune(c)
			open = true
		}
	}
	if open {
		words = append(words, word.String())
	}
	return words
}

// valued are the options whose value can be the next word.
var valued = []string{"arg", "expect", "check", "schedule", "kernel", "blocks", "ranks", "equivalent", "modulo", "check-suppress", "diff-ref"}

// read fills the flags and words of c from the words after the tool.
func (c *command) read(words []string) {
	for i := 0; i < len(words); i++ {
		w := words[i]
		if w == "|" || w == "&&" || w == "||" || w == ";" || strings.HasPrefix(w, "2>") || strings.HasPrefix(w, ">") {
			return
		}
		name, isFlag := strings.CutPrefix(w, "--")
		if !isFlag {
			c.words = append(c.words, w)
			continue
		}
		name, value, has := strings.Cut(name, "=")
		if !has && slices.Contains(valued, name) && i+1 < len(words) && !strings.HasPrefix(words[i+1], "--") {
			i++
			value = words[i]
		}
		c.flags[name] = append(c.flags[name], value)
	}
}

// needed are the options that make a test stronger.
var needed = map[string]string{
	"expect": "compares results", "check": "runs the checkers", "schedule": "runs with other orders", "strict": "makes warnings errors", "verify-sync": "proves the synchronization",
	"equivalent": "proves equivalence", "ignore-suppressions": "counts suppressed reports", "diff-ref": "compares with a reference", "verify-equivalence": "compares programs before and after passes",
}

// weakening are the options that make a test weaker.
var weakening = map[string]string{
	"check-suppress": "suppresses reports", "modulo": "ignores differences", "equivalence-modulo": "ignores differences", "no-verify": "leaves out the verifier", "not": "expects a failure",
}

// commands compares the commands of two texts and returns how many there were before. The
// first command before is compared with the first after, and so on.
func (r *Report) commands(before, after string) int {
	old, now := commandsOf(before), commandsOf(after)
	if len(now) < len(old) {
		r.add("commands", "%d of %d commands are gone", len(old)-len(now), len(old))
	}
	for i := range min(len(old), len(now)) {
		r.command(old[i], now[i])
	}
	for _, c := range now {
		r.references(c)
	}
	return len(old)
}

// command compares a command with the one in its place.
func (r *Report) command(old, now *command) {
	for _, flag := range sorted(needed) {
		if o, n := len(old.flags[flag]), len(now.flags[flag]); n < o && flag != "expect" {
			r.add("checks", "--%s, which %s, is gone: %s", flag, needed[flag], now.text)
		}
	}
	for _, flag := range sorted(weakening) {
		if _, had := old.flags[flag]; !had && now.flags[flag] != nil {
			r.add("checks", "new --%s, which %s: %s", flag, weakening[flag], now.text)
		}
	}
	if now.ignored && !old.ignored {
		r.add("checks", "a failure does not count: %s", now.text)
	}
	r.kinds(old, now)
	r.expectations(old, now)
	r.data(old, now)
	for _, flag := range []string{"kernel", "blocks", "ranks"} {
		o, n := last(old.flags[flag]), last(now.flags[flag])
		if a, b := number(o, 1), number(n, 1); flag != "kernel" && b < a {
			r.add("data", "--%s is %s instead of %s: %s", flag, cmp.Or(n, "1"), o, now.text)
		} else if flag == "kernel" && o != n {
			r.add("commands", "another kernel, %q instead of %q: %s", n, o, now.text)
		}
	}
	if o, n := number(strings.TrimPrefix(last(old.flags["schedule"]), "random:"), 0), number(strings.TrimPrefix(last(now.flags["schedule"]), "random:"), 0); len(now.flags["schedule"]) > 0 && n < o {
		r.add("checks", "fewer orders, %v instead of %v: %s", n, o, now.text)
	}
}

// kinds compares the checkers of two commands.
func (r *Report) kinds(old, now *command) {
	if len(old.flags["check"]) == 0 || len(now.flags["check"]) == 0 {
		return
	}
	o, n := strings.Split(last(old.flags["check"]), ","), strings.Split(last(now.flags["check"]), ",")
	if slices.Contains(n, "all") || slices.Contains(n, "") {
		return
	}
	for _, k := range o {
		if !slices.Contains(n, k) {
			r.add("checks", "--check=%s instead of %s: %s", strings.Join(n, ","), strings.Join(o, ","), now.text)
			return
		}
	}
}

// expectations compares the comparisons with references.
func (r *Report) expectations(old, now *command) {
	of := func(c *command) map[string][2]string {
		all := map[string][2]string{}
		for _, e := range c.flags["expect"] {
			array, rest, _ := strings.Cut(e, "=")
			file, tolerance, _ := strings.Cut(rest, ",")
			all[array] = [2]string{file, tolerance}
		}
		return all
	}
	o, n := of(old), of(now)
	for _, array := range sorted(o) {
		x, ok := n[array]
		if !ok {
			r.add("comparison", "the results in %s are not compared any more: %s", array, now.text)
			continue
		}
		if x[0] != o[array][0] {
			r.add("reference", "%s is compared with %s instead of %s", array, x[0], o[array][0])
		}
		r.tolerances(o[array][1], x[1], array)
	}
}

// references reports expected values that the command itself reads or writes.
func (r *Report) references(c *command) {
	for _, e := range c.flags["expect"] {
		_, rest, _ := strings.Cut(e, "=")
		file, _, _ := strings.Cut(rest, ",")
		for _, a := range c.flags["arg"] {
			kind, path, _ := strings.Cut(a, "=")
			path, _, _ = strings.Cut(path, ",")
			path, _, _ = strings.Cut(path, ":")
			if path == file && slices.Contains([]string{"in", "inout", "out"}, kind) {
				r.add("reference", "the expected values in %s are an argument (%s) of the kernel", file, a)
			}
		}
	}
}

// trivial are the kinds of data on which many wrong kernels are right.
var trivial = []string{"zeros", "ones", "fill"}

// data compares the arguments of two commands.
func (r *Report) data(old, now *command) {
	for i, o := range old.flags["arg"] {
		if i >= len(now.flags["arg"]) {
			break
		}
		n := now.flags["arg"][i]
		if o == n {
			continue
		}
		a, of, _ := strings.Cut(o, "=")
		b, is, _ := strings.Cut(n, "=")
		switch {
		case !slices.Contains(trivial, a) && slices.Contains(trivial, b) && a != "out":
			r.add("data", "argument %d is %s instead of %s", i, n, o)
		case elements(is) > 0 && elements(is) < elements(of):
			r.add("data", "argument %d is smaller, %s instead of %s", i, n, o)
		}
	}
}

// shape matches the extents of an argument.
var shape = regexp.MustCompile(`\b(\d+(?:x\d+)*)x[a-z]`)

// elements returns the number of elements of an array, or 0 if the text does not have it.
func elements(spec string) int {
	m := shape.FindStringSubmatch(spec)
	if m == nil {
		return 0
	}
	n := 1
	for e := range strings.SplitSeq(m[1], "x") {
		k, _ := strconv.Atoi(e)
		n *= k
	}
	return n
}

// last returns the last value, or "".
func last(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[len(values)-1]
}

// number returns the number that a text represents, or the default if it is empty or another
// text.
func number(text string, otherwise float64) float64 {
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		return n
	}
	return otherwise
}
