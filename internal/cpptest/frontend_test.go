package cpptest

import (
	"os"
	"testing"
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
	Check(t, folder(t, root, "a3"), 90)
}
