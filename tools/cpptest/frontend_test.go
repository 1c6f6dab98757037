package cpptest

import (
	"os"
	"testing"
)

// TestSimulatorFrontend compares kernels that a frontend generated with the simulator. A
// kernel in a folder with a case.json runs on the arguments named there, others on
// generated data.
func TestSimulatorFrontend(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes")
	}
	root := os.Getenv(FrontendVariable)
	if root == "" {
		t.Skipf("no kernels: set %s to a folder of what a frontend writes", FrontendVariable)
	}
	cases, err := Launches(root)
	if err != nil {
		t.Fatal(err)
	}
	least := 90
	if len(cases) == 0 { // arguments that are made up do not suit every kernel
		cases, least = Folder(t, root, "a3"), 50
	}
	Check(t, cases, least)
}
