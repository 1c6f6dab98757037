package filecheck

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// generator generates check files: it takes lines of a random input and writes directives
// that match most of them.
type generator struct {
	r *rand.Rand
	// strings maps a value to the variable that should have it.
	strings map[string]string
	numbers map[int]string
	// mutation is the inverse probability with which a piece of a directive is made
	// wrong.
	mutation int
}

// generate returns the test case for a random seed.
func generate(seed uint64) testCase {
	g := &generator{r: rand.New(rand.NewPCG(seed, 42)), strings: map[string]string{}, numbers: map[int]string{}}
	g.mutation = []int{1 << 30, 1 << 30, 100, 30, 10}[g.r.IntN(5)]
	c := testCase{name: fmt.Sprintf("seed %d", seed)}
	lines := g.input()
	c.input = strings.Join(lines, "\n")
	if g.r.IntN(5) > 0 {
		c.input += "\n"
	}
	c.args = g.options()
	c.check = g.directives(c, lines)
	return c
}

func (g *generator) one(in int) bool          { return g.r.IntN(in) == 0 }
func (g *generator) pick(of ...string) string { return of[g.r.IntN(len(of))] }

// input returns lines that resemble IR. They use few different words, so that patterns
// match in several places.
func (g *generator) input() []string {
	lines := make([]string, 2+g.r.IntN(14))
	for i := range lines {
		switch g.r.IntN(9) {
		case 0:
			lines[i] = ""
		case 1:
			lines[i] = fmt.Sprintf("func @f%d:", g.r.IntN(4))
		case 2:
			lines[i] = fmt.Sprintf("  ret %%v%d, 0x%x, -%d", g.r.IntN(4), g.r.IntN(64), g.r.IntN(20))
		default:
			lines[i] = g.pick("", "  ", "\t ") + fmt.Sprintf("%%v%d = %s %%v%d, %d", g.r.IntN(5),
				g.pick("add", "sub", "Add", "addi"), g.r.IntN(5), g.r.IntN(30)) +
				g.pick("", "", " : i32", " [a.b]", "  {x}", " {{}}", " ]]")
		}
	}
	return lines
}

func (g *generator) options() []string {
	var args []string
	for _, option := range []string{"--match-full-lines", "--strict-whitespace", "--ignore-case",
		"--enable-var-scope", "--allow-empty", "--implicit-check-not=func", "--implicit-check-not={{ad+i }}",
		"--allow-deprecated-dag-overlap", "-DS=%v1", "-D#N=3", "--check-prefixes=CHECK,ALT"} {
		if g.one(12) {
			args = append(args, option)
			switch option {
			case "-DS=%v1":
				g.strings["%v1"] = "S"
			case "-D#N=3":
				g.numbers[3] = "N"
			}
		}
	}
	return args
}

// directives writes directives for the lines of the input in order, and skips some lines.
func (g *generator) directives(c testCase, lines []string) string {
	var b strings.Builder
	last := -1 // the line matched last
	for i := 0; i < len(lines); i++ {
		if g.one(3) {
			continue
		}
		line := lines[i]
		if g.one(g.mutation) {
			line = lines[g.r.IntN(len(lines))]
		}
		suffix, text := "", ""
		switch {
		case strings.TrimSpace(line) == "":
			if last < 0 || last != i-1 && !g.one(4) {
				continue
			}
			suffix = "-EMPTY"
		case strings.HasPrefix(line, "func") && !g.one(3):
			suffix, text = "-LABEL", g.label(line)
		case g.one(8):
			// Something that should be in no line, or in any.
			fmt.Fprintf(&b, "%s-NOT: %s\n", g.prefix(), g.pick("mul", "%v9", "{{^x}}", "{{z+}}", "{{[0-9]{}}", "[[#77]]", g.pick("mul", "sub", "%v{{$}}")))
			continue
		case g.one(6):
			i = g.dagGroup(&b, lines, i)
			last = i
			continue
		case last == i-1 && last >= 0 && !g.one(3):
			suffix, text = "-NEXT", g.pattern(line)
		case g.one(10):
			suffix, text = fmt.Sprintf("-COUNT-%d", 1+g.r.IntN(3)), g.pattern(line)
		case g.one(12):
			suffix, text = "{LITERAL}", strings.TrimSpace(line)
		case g.one(6):
			g.same(&b, line)
			last = i
			continue
		default:
			text = g.pattern(line)
		}
		fmt.Fprintf(&b, "%s%s%s:%s%s\n", g.pick("", "// ", "  # "), g.prefix(), suffix, g.pick(" ", " ", "   ", ""), text)
		last = i
	}
	if g.one(6) {
		fmt.Fprintf(&b, "CHECK-NOT: %s\n", g.pick("mul", "zz", "%v0", "{{.}}"))
	}
	if strings.Contains(strings.Join(c.args, " "), "ALT") {
		b.WriteString("ALT-NOT: zz\n")
	}
	if b.Len() == 0 {
		b.WriteString("CHECK: " + g.pattern(lines[0]) + "\n")
	}
	return b.String()
}

func (g *generator) prefix() string {
	if g.one(9) {
		return g.pick("ALT", "CHECK", "COM: CHECK", "CHECK-NEXT: CHECK")
	}
	return "CHECK"
}

// label returns a pattern for the line without variables, because LABEL directives do not
// allow them.
func (g *generator) label(line string) string {
	if g.one(3) {
		return "func @f{{[0-9]}}"
	}
	return line
}

// dagGroup writes DAG directives for some lines from index i on, in random order. It
// returns the index of the last line.
func (g *generator) dagGroup(b *strings.Builder, lines []string, i int) int {
	group := append([]string{}, lines[i:min(i+1+g.r.IntN(3), len(lines))]...)
	last := i + len(group) - 1
	g.r.Shuffle(len(group), func(i, j int) { group[i], group[j] = group[j], group[i] })
	for _, line := range group {
		if strings.TrimSpace(line) != "" {
			fmt.Fprintf(b, "CHECK-DAG: %s\n", g.pattern(line))
		}
	}
	return last
}

// same writes a plain and a SAME directive for the two halves of a line.
func (g *generator) same(b *strings.Builder, line string) {
	words := strings.Fields(line)
	cut := 1 + g.r.IntN(len(words))
	fmt.Fprintf(b, "CHECK: %s\n", g.pattern(strings.Join(words[:cut], " ")))
	if cut < len(words) {
		fmt.Fprintf(b, "CHECK-SAME: %s\n", g.pattern(strings.Join(words[cut:], " ")))
	}
}

// pattern returns a pattern for the line, in which some words are replaced by
// expressions.
func (g *generator) pattern(line string) string {
	words := strings.Fields(line)
	if len(words) > 2 && g.one(4) {
		words = words[g.r.IntN(2) : len(words)-g.r.IntN(2)]
	}
	local := map[string]string{} // defined in this pattern, by value
	for i, word := range words {
		if strings.HasPrefix(word, "{{") {
			words[i] = g.pick("{{([{]{2})}}}}", "{{[{][{]}}}}", "{{[{]+}}}}")
		} else if g.one(g.mutation) {
			words[i] = g.pick("zzz", "{{z*}}", "[[UNDEFINED]]", "{{", "[[#Q]]", word+word, "{{"+word+"|}}")
		} else if !g.one(2) {
			words[i] = g.expression(word, local)
		}
	}
	return strings.Join(words, g.pick(" ", " ", "  "))
}

// expression returns an expression that usually matches the word.
func (g *generator) expression(word string, local map[string]string) string {
	body, tail := word, ""
	if trimmed := strings.TrimRight(word, ",:"); trimmed != word {
		body, tail = trimmed, word[len(trimmed):]
	}
	if name, ok := local[body]; ok && !g.one(3) {
		return "[[" + name + "]]" + tail
	}
	digits := strings.Trim(body, "0123456789") == "" && body != ""
	switch n := g.r.IntN(9); {
	case strings.HasPrefix(body, "%v") && n < 3:
		name := g.pick("A", "B", "$C")
		local[body] = name
		for value, other := range g.strings {
			if other == name {
				delete(g.strings, value)
			}
		}
		g.strings[body] = name
		return "[[" + name + ":" + g.pick("%v[0-9]", "%[a-z0-9]+", "%v?.", "%v.", "%(v|v[0-9])", "[^ ,]*", "(%|%v)[0-9]*") + "]]" + tail
	case strings.HasPrefix(body, "%v") && n < 6 && g.strings[body] != "":
		return "[[" + g.strings[body] + "]]" + tail
	case digits && n < 3:
		name := g.pick("X", "Y", "$Z")
		for value, other := range g.numbers {
			if other == name {
				delete(g.numbers, value)
			}
		}
		value, _ := strconv.Atoi(body)
		g.numbers[value] = name
		return "[[#" + g.pick("", "", "%u,") + name + ":]]" + tail
	case digits && n < 5 && len(g.numbers) > 0:
		return g.useNumber(body) + tail
	case digits && n == 5:
		return "[[#" + body + "]]" + tail
	case digits && n == 6:
		return g.pick("[[#]]", "[[#%x,]]", "[[#%.2u,]]", "[[@LINE]]", "[[#@LINE-1]]") + tail
	case strings.HasPrefix(body, "0x") && n < 4:
		return g.pick("0x[[#%x,H:]]", "[[#%#x,]]", "{{0x[0-9a-f]+}}", "0x[[#%X,]]") + tail
	case strings.HasPrefix(body, "-") && n < 4:
		return g.pick("[[#%d,]]", "-[[#]]", "{{-[0-9]*}}") + tail
	default:
		return g.regex(body) + tail
	}
}

// useNumber returns a numeric expression of a variable whose value is the number in word.
func (g *generator) useNumber(word string) string {
	wanted, _ := strconv.Atoi(word)
	values := slices.Sorted(maps.Keys(g.numbers))
	value := values[g.r.IntN(len(values))]
	format := g.pick("", "%u,", "%d,")
	if value == wanted {
		return "[[#" + format + g.numbers[value] + "]]"
	}
	return fmt.Sprintf("[[#%s%s%+d]]", format, g.numbers[value], wanted-value)
}

// regex returns a {{regex}} that matches the word.
func (g *generator) regex(word string) string {
	if word == "" || strings.ContainsAny(word, "{}[]") {
		return word
	}
	k := g.r.IntN(len(word) + 1)
	return g.pick(
		"{{.*}}", "{{.+}}", "{{[^ ]+}}", "{{.}}{{.*}}",
		word[:k]+"{{.*}}", "{{.*}}"+word[k:],
		"{{"+word+"|zz}}", "{{zz|"+word+"}}", "{{("+word+"|"+word[:k]+"x)}}",
		"{{[[:alnum:]%@=.,-]+}}", "{{(("+word+"){1,2})}}", "{{((zz)?"+word+")}}",
		word, word,
	)
}
