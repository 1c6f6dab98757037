package cpptest

import "testing"

func TestProfileOf(t *testing.T) {
	for _, c := range []struct{ path, text, want string }{
		{"k.pto", `module attributes {pto.target_arch = "a5"} {`, "a5"},
		{"a5/k.pto", `module attributes {pto.target_arch = "a3"} {`, "a3"},
		{"k.pto", "// pto-run --pto-arch=a5 k.pto", "a5"},
		{"st_a5/k.pto", "", "a5"},
		{"st_a2a3/k.pto", "", "other"},
		{"k.pto", "", "other"},
	} {
		if got := profileOf(c.path, c.text, "other"); got != c.want {
			t.Errorf("%s with %q is for %s, want %s", c.path, c.text, got, c.want)
		}
	}
}
