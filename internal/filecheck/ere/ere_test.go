package ere

import (
	"reflect"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	tests := []struct {
		name, expr, text string
		want             []int // nil: no match
	}{
		{"literal", "b.d", "abcd", []int{1, 4}},
		{"leftmost before longest", "a|bcd", "xabcd", []int{1, 2}},
		{"longest alternative", "a|ab|abc", "abcd", []int{0, 3}},
		{"dot stops at newline", "a.b", "a\nb", nil},
		{"negated class stops at newline", "a[^x]b", "a\nb", nil},
		{"space class crosses lines", "a[[:space:]]b", "a\nb", []int{0, 3}},
		{"line start", "^b", "a\nb", []int{2, 3}},
		{"line end", "a$", "a\nb", []int{0, 1}},
		{"escape is the character", `\d\n\.`, "5dn.", []int{1, 4}},
		{"lone bracket", "]", "a]", []int{1, 2}},
		{"bracket first in class", "[]x]+", "a]x]", []int{1, 4}},
		{"backslash in class", `[\d]+`, `5\d`, []int{1, 3}},
		{"range to hyphen", "[+--]", ",", []int{0, 1}},
		{"brace literal", "a{x", "a{x", []int{0, 3}},
		{"brace count", "ba{2}", "baaa", []int{0, 3}},
		{"brace open count", "ba{2,}", "baaa", []int{0, 4}},
		{"brace range", "ba{1,2}", "baaa", []int{0, 3}},
		{"empty group", "a()b", "ab", []int{0, 2, 1, 1}},
		{"word start", "[[:<:]]b", "ab b", []int{3, 4}},
		{"word end", "b[[:>:]]", "bb b", []int{1, 2}},
		{"groups take the longest", "(a|ab)(c|bcd)(d*)", "abcd", []int{0, 4, 0, 2, 2, 3, 3, 4}},
		{"repeated choice", "((a|ab)*)(.*)", "aabc", []int{0, 4, 0, 3, 1, 3, 3, 4}},
		{"parts, not groups", "(a?(ab)?)b*", "abb", []int{0, 3, 0, 1, -1, -1}},
		{"back reference", `(a+)b\1`, "aaba", []int{1, 4, 1, 2}},
		{"back reference longest", `(a+)b\1`, "aabaa", []int{0, 5, 0, 2}},
		{"back reference none", `(a+)b\1c`, "aabaa", nil},
		{"back reference in repetition", `(a|b)\1+`, "abbb", []int{1, 4, 1, 2}},
		{"two references", `(.)(.)\2\1`, "xabba", []int{1, 5, 1, 2, 2, 3}},
		{"bytes are characters", "a..b", "aéb", []int{0, 6}},
		{"high byte class", "a[\xe0-\xff]b", "a\xe9b", []int{0, 4}},
		{"collating name", "[[.hyphen.]a]+", "-a", []int{0, 2}},
		{"nothing", "[^\x00-\xff]", "abc", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			re, err := Compile(Widen(test.expr), false)
			if err != nil {
				t.Fatal(err)
			}
			got, err := re.Find(Widen(test.text))
			if err != nil {
				t.Fatal(err)
			}
			if test.name == "repeated choice" && got != nil {
				got[4], got[5] = 1, 3 // inside a repetition: not specified
			}
			if !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestFold(t *testing.T) {
	tests := []struct {
		expr, text string
		want       bool
	}{
		{"hello", "HeLLo", true},
		{"[a-c]", "B", true},
		{"[^A-C]", "b", false},
		{"é", "É", false}, // only ASCII has case
		{`(a)\1`, "aA", false},
	}
	for _, test := range tests {
		re, err := Compile(Widen(test.expr), true)
		if err != nil {
			t.Fatal(err)
		}
		got, err := re.Find(Widen(test.text))
		if err != nil {
			t.Fatal(err)
		}
		if (got != nil) != test.want {
			t.Errorf("%q on %q: got %v, want match %v", test.expr, test.text, got, test.want)
		}
	}
}

func TestReject(t *testing.T) {
	tests := []struct{ expr, want string }{
		{"", "empty (sub)expression"},
		{"a|", "empty (sub)expression"},
		{"(|a)", "empty (sub)expression"},
		{"*", "repetition-operator operand invalid"},
		{"a**", "repetition-operator operand invalid"},
		{"^*", "repetition-operator operand invalid"},
		{"{1}", "repetition-operator operand invalid"},
		{"(*a)", "repetition-operator operand invalid"},
		{"a{2", "braces not balanced"},
		{"a{1x}", "invalid repetition count(s)"},
		{"a{3,1}", "invalid repetition count(s)"},
		{"a{256}", "invalid repetition count(s)"},
		{"[", "brackets ([ ]) not balanced"},
		{"[a", "brackets ([ ]) not balanced"},
		{"(", "parentheses not balanced"},
		{")", "parentheses not balanced"},
		{"(a", "parentheses not balanced"},
		{`a\`, `trailing backslash (\)`},
		{"[z-a]", "invalid character range"},
		{"[a-c-e]", "invalid character range"},
		{"[[:alpha:]-z]", "invalid character range"},
		{"[[:foo:]]", "invalid character class"},
		{"[[.foo.]]", "invalid collating element"},
		{`\1`, "invalid backreference number"},
		{`(a\1)`, "invalid backreference number"},
		{strings.Repeat("(", 300) + strings.Repeat(")", 300), "groups nested too deeply"},
		{"((a{255}){255}){255}", "unsupported regex"},
		{`(a)\1((b{255}){255}){255}`, "expression too large"},
	}
	for _, test := range tests {
		t.Run(test.expr[:min(len(test.expr), 20)], func(t *testing.T) {
			_, err := Compile(test.expr, false)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}

func TestSearchGivesUp(t *testing.T) {
	re, err := Compile(`(.*)(.*)(.*)(.*)x\1\2\3\4y`, false)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("a", 200) + "x" + strings.Repeat("a", 200) + "by"
	if loc, err := re.Find(text); err != errSearchLimit {
		t.Errorf("got %v, %v, want %v", loc, err, errSearchLimit)
	}
}

func TestQuote(t *testing.T) {
	text := Widen("a.b*[c]{2}^$|(d)\\é+?")
	re, err := Compile(Quote(text), false)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := re.Find("x" + text + "y"); !reflect.DeepEqual(got, []int{1, 1 + len(text)}) {
		t.Errorf("got %v", got)
	}
}

func TestWidenNarrow(t *testing.T) {
	for _, text := range []string{"", "abc", "é\xff\x00ü"} {
		if got := Narrow(Widen(text)); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func FuzzCompile(f *testing.F) {
	f.Add("(a|b)*c[[:space:]]\\1{2,3}", "abc abc", true)
	f.Add("[[:<:]]x$", "x", false)
	f.Fuzz(func(t *testing.T, expr, text string, fold bool) {
		if len(expr) > 200 || len(text) > 500 {
			return
		}
		re, err := Compile(Widen(expr), fold)
		if err != nil {
			return
		}
		wide := Widen(text)
		loc, err := re.Find(wide)
		if err == nil && loc != nil && (loc[0] > loc[1] || loc[1] > len(wide)) {
			t.Errorf("%q on %q: bounds %v", expr, text, loc)
		}
	})
}
