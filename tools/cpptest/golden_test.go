package cpptest

import (
	"os"
	"path/filepath"
	"testing"
)

// TestSimulatorPublic compares the kernels of the public golden tests with the simulator,
// on generated data.
func TestSimulatorPublic(t *testing.T) { checkPublic(t, "test/tilelang_st", "a5", 75) }

// TestSimulatorSamples compares the public samples with the simulator, on generated data.
// They include kernels of models that frontends generated. A kernel that leaves its
// buffers or deadlocks on such data faults in the Go engine and is not compared.
func TestSimulatorSamples(t *testing.T) { checkPublic(t, "test/samples", "a3", 60) }

// checkPublic compares the kernels in a folder of the public checkout. The parameter
// other is the default profile, and least the required percentage of equal results.
func checkPublic(t *testing.T, dir, other string, least int) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes minutes")
	}
	root := os.Getenv("PTO_PTOAS")
	if root == "" {
		t.Skip("no public kernels: set PTO_PTOAS to a checkout")
	}
	Check(t, Folder(t, filepath.Join(root, dir), other), least)
}
