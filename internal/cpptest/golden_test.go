package cpptest

import (
	"os"
	"path/filepath"
	"testing"
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
	Check(t, folder(t, filepath.Join(root, "test/tilelang_st"), "a5"), 75)
}
