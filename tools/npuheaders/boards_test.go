package npuheaders

import (
	"os"
	"path/filepath"
	"testing"

	"ptogo/tools/cpptest"
)

// The tests in this file judge the judge: boards have run these kernels, so a difference
// that is not a known one shows a wrong meaning of an intrinsic.

// TestBoardsFrontend runs kernels of a frontend, whose results its device tests check.
func TestBoardsFrontend(t *testing.T) {
	root := os.Getenv(cpptest.FrontendVariable)
	if root == "" || testing.Short() {
		t.Skipf("no kernels: set %s to a folder of what a frontend writes", cpptest.FrontendVariable)
	}
	cases, err := cpptest.Launches(root)
	if err != nil {
		t.Fatal(err)
	}
	Check(t, cases)
}

// TestBoardsGolden runs the kernels of the public golden tests on generated data.
func TestBoardsGolden(t *testing.T) {
	root := os.Getenv("PTO_PTOAS")
	if root == "" || testing.Short() {
		t.Skip("no public kernels: set PTO_PTOAS to a checkout")
	}
	Check(t, cpptest.Folder(t, filepath.Join(root, "test/tilelang_st"), "a5"))
}
