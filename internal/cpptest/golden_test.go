package cpptest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ptogo/internal/corpus"
)

// TestSimulatorPublic compares the kernels of the public golden tests of tile
// instructions, on data of ours.
func TestSimulatorPublic(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes")
	}
	root := os.Getenv("PTO_PTOAS")
	if root == "" {
		t.Skip("no public kernels: set PTO_PTOAS to a checkout")
	}
	programs, err := corpus.Folder(filepath.Join(root, "test/tilelang_st"))
	if err != nil {
		t.Fatal(err)
	}
	filter := Filter()
	var cases []*Case
	for i, p := range programs {
		if !filter.MatchString(p.Name) {
			continue
		}
		arch := "a5"
		if strings.Contains(p.Text, `target_arch = "a3"`) {
			arch = "a3"
		}
		found, err := Kernels(filepath.Base(filepath.Dir(p.Name))+"/"+filepath.Base(p.Name), p.Text, arch, uint64(i))
		if err != nil {
			t.Error(err)
		}
		cases = append(cases, found...)
	}
	Check(t, cases, 75)
}
