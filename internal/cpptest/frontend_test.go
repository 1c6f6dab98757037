package cpptest

import (
	"os"
	"strings"
	"testing"

	"ptogo/internal/corpus"
)

// frontendVariable names a folder with kernels as a frontend writes them.
const frontendVariable = "PTO_FRONTEND"

// TestSimulatorFrontend compares kernels of a frontend, on data of ours.
func TestSimulatorFrontend(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes")
	}
	root := os.Getenv(frontendVariable)
	if root == "" {
		t.Skipf("no kernels: set %s to a folder of what a frontend writes", frontendVariable)
	}
	programs, err := corpus.Folder(root)
	if err != nil {
		t.Fatal(err)
	}
	filter := Filter()
	var cases []*Case
	for i, p := range programs {
		if !filter.MatchString(p.Name) {
			continue
		}
		arch := "a3"
		if strings.Contains(p.Text, `target_arch = "a5"`) {
			arch = "a5"
		}
		found, err := Kernels(strings.TrimPrefix(p.Name, root), p.Text, arch, uint64(i))
		if err != nil {
			t.Error(err)
		}
		cases = append(cases, found...)
	}
	Check(t, cases, 90)
}
