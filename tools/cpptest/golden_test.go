package cpptest

import (
	"os"
	"path/filepath"
	"testing"
)

// TestSimulatorPublic compares the kernels of the public golden tests of tile
// instructions, on data of ours.
func TestSimulatorPublic(t *testing.T) { checkPublic(t, "test/tilelang_st", "a5", 75) }

// TestSimulatorSamples compares the public samples, among them kernels of models as
// frontends print them, on data of ours. Where such data make a kernel leave its
// buffers, or wait for what nobody sends, the Go engine faults and there is nothing
// to compare.
func TestSimulatorSamples(t *testing.T) { checkPublic(t, "test/samples", "a3", 60) }

// checkPublic compares the kernels in a folder of the public checkout.
func checkPublic(t *testing.T, dir, other string, least int) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes minutes")
	}
	root := os.Getenv("PTO_PTOAS")
	if root == "" {
		t.Skip("no public kernels: set PTO_PTOAS to a checkout")
	}
	Check(t, folder(t, filepath.Join(root, dir), other), least)
}
