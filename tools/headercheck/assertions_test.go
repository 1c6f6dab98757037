package headercheck

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"ptogo/tools/testsize"
)

// TestConditions reads the conditions of assertions out of C++ text.
func TestConditions(t *testing.T) {
	text := `
    PTO_ASSERT(src.GetValidRow() == dst.GetValidRow(), "rows, of both");
    PTO_ASSERT(
        (max(a, b) % 16) == 0 && name != "x, (y",
        "a message");
    PTO_ASSERT(rows > 0);
    PTO_ASSERT(unfinished`
	want := []string{"src.GetValidRow() == dst.GetValidRow()", `(max(a, b) % 16) == 0 && name != "x, (y"`, "rows > 0"}
	if got := conditions(text); !slices.Equal(got, want) {
		t.Errorf("conditions are %q, want %q", got, want)
	}
	for condition, class := range map[string]string{
		want[0]: "equal valid sizes", want[1]: "multiple", want[2]: "non-zero", "validCol == gShape4": "view shape",
		"indexRow + validRow <= SrcTileData::Rows": "shape against index", "k <= LIMIT": "range", "flag": "other",
	} {
		if got := assertionClass(condition); got != class {
			t.Errorf("the class of %q is %q, want %q", condition, got, class)
		}
	}
}

// TestReadAssertions counts equal conditions of several headers once.
func TestReadAssertions(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.hpp": "PTO_ASSERT(x == y, 1); PTO_ASSERT(x  ==\n y, 2);", "b.hpp": "PTO_ASSERT(x == y, 3);"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	all, err := ReadAssertions(dir, []string{"."})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 1 || all[0].Sites != 3 || !slices.Equal(all[0].Headers, []string{"a.hpp", "b.hpp"}) {
		t.Errorf("got %+v", all)
	}
}

// TestAssertionsPage compares the committed page with the headers of a checkout, with
// PTO_TESTS=all.
func TestAssertionsPage(t *testing.T) {
	root := os.Getenv("PTO_ISA")
	if root == "" || !testsize.All() {
		t.Skip("set PTO_ISA to a checkout of pto-isa at 3186c38, and PTO_TESTS=all")
	}
	page, err := AssertionsPage(filepath.Join(root, "include", "pto"))
	if err != nil {
		t.Fatal(err)
	}
	committed, err := os.ReadFile("../../docs/isa/header-assertions.md")
	if err != nil {
		t.Fatal(err)
	}
	if page != string(committed) {
		t.Error("docs/isa/header-assertions.md differs: run go run ./tools/headercheck/genassertions")
	}
}
