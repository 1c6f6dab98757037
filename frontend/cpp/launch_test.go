package cpp

import (
	"strings"
	"testing"
)

func TestRewriteLaunches(t *testing.T) {
	for text, want := range map[string]string{
		"k<<<24, nullptr, s>>>(a, b);":           "ptogo_launch_with(24, nullptr, s), k(a, b);",
		"ns::k<float, 2> <<<n, (f(1, 2))>>>(a);": "ptogo_launch_with(n, (f(1, 2))), ns::k<float, 2> (a);",
		"// k<<<1>>>(a)\n\"k<<<1>>>\" 1'0 << 2;": "// k<<<1>>>(a)\n\"k<<<1>>>\" 1'0 << 2;",
		"name##N<<<1>>>(a)":                      "ptogo_launch_with(1), name##N(a)",
		"a <<< b;":                               "a <<< b;",
		"k<<<1, {2}>>>(x); m<<<2>>>();":          "ptogo_launch_with(1, {2}), k(x); ptogo_launch_with(2), m();",
		"<<<":                                    "<<<",
	} {
		if got := rewriteLaunches(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestLaunched(t *testing.T) {
	for text, want := range map[string]struct {
		name   string
		blocks int
	}{
		"void f() { k<float><<<24, nullptr, s>>>(a); }":                          {"k", 24},
		"pto::k<<<n>>>(a);":                                                      {"k", 0},
		"constexpr uint32_t n = 48;\nvoid f() { k<<<n, 0, s>>>(a); }":            {"k", 48},
		"const int n = 4; void g() { int n = 5; const int n = 6; k<<<n>>>(a); }": {"k", 0},
		"k<1><<<2>>>(); k<2><<<2>>>();":                                          {"k", 2},
		"k<1><<<2>>>(); m<2><<<2>>>();":                                          {},
		"// k<<<2>>>()":                                                          {},
	} {
		if name, blocks := Launched(text); name != want.name || blocks != want.blocks {
			t.Errorf("%q launches %q with %d blocks, want %v", text, name, blocks, want)
		}
	}
}

func FuzzRewriteLaunches(f *testing.F) {
	f.Add("ns::k<float, 2> <<<n, (f(1, 2))>>>(a); // <<<\n\"<<<\" R\"x(<<<)x\" '<'")
	f.Fuzz(func(t *testing.T, text string) {
		if got := rewriteLaunches(text); strings.Count(got, "\n") != strings.Count(text, "\n") {
			t.Errorf("%q becomes %q, which has other lines", text, got)
		}
		Launched(text)
	})
}

func TestEnumerator(t *testing.T) {
	for _, c := range []struct {
		name  string
		value int64
		word  string
	}{{"MaskPattern", 2, "P1010"}, {"AccPhase", 3, "Final"}, {"CmpMode", 9, ""}} {
		for i, e := range enums {
			if e.name == c.name {
				if name, word := enumerator(int64(i), c.value); name != c.name || word != c.word {
					t.Errorf("%s %d is %s::%s, want %s", c.name, c.value, name, word, c.word)
				}
			}
		}
	}
	if name, word := enumerator(-1, 0); name != "" || word != "" {
		t.Errorf("an unknown enumeration has the name %q and the enumerator %q", name, word)
	}
}
