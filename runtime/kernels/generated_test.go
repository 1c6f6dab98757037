package kernels

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ptogo/tools/testsize"
)

// TestGenerated runs the generators of the assembly in a folder of its own, and compares
// what they write with the files of this package, byte by byte.
func TestGenerated(t *testing.T) {
	if !testsize.All() {
		t.Skip("compiles the generators and their assembler")
	}
	tool := func(args ...string) ([]byte, error) {
		cmd := exec.Command("go", args...)
		cmd.Dir = "gen"
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly")
		return cmd.CombinedOutput()
	}
	// The generator is a module of its own, whose assembler users of the project do not
	// need. Without a network, the test cannot fetch it.
	if out, err := tool("mod", "download"); err != nil {
		t.Fatalf("go mod download in gen: %v\n%s", err, out)
	}
	dir := t.TempDir()
	amd64, neon := filepath.Join(dir, "amd64.exe"), filepath.Join(dir, "neon.exe")
	for _, build := range [][]string{{"build", "-o", amd64, "."}, {"build", "-o", neon, "./neon"}} {
		if out, err := tool(build...); err != nil {
			t.Fatalf("go %s in gen: %v\n%s", strings.Join(build, " "), err, out)
		}
	}
	// The paths are those of generate.sh, because the files contain the command.
	within := filepath.Join(dir, "gen", "neon")
	if err := os.MkdirAll(within, 0o755); err != nil {
		t.Fatal(err)
	}
	run := func(dir, name string, args ...string) {
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, out)
		}
	}
	for _, group := range groups(t) {
		run(filepath.Dir(within), amd64, "-group", group, "-out", "../"+group+"_amd64.s", "-stubs", "../"+group+"_amd64.go", "-pkg", "kernels")
	}
	run(within, neon)
	compareGenerated(t, dir)
}

// groups returns the names that generate.sh passes to the generator.
func groups(t *testing.T) []string {
	script, err := os.ReadFile("generate.sh")
	if err != nil {
		t.Fatal(err)
	}
	loop := regexp.MustCompile(`for group in (.*); do`).FindSubmatch(script)
	if loop == nil {
		t.Fatal("generate.sh lists no groups")
	}
	return strings.Fields(string(loop[1]))
}

// compareGenerated compares the files of dir with those of this package, and reports
// assembly that no generator has written.
func compareGenerated(t *testing.T, dir string) {
	written, err := filepath.Glob(filepath.Join(dir, "*_a*64.*"))
	if err != nil {
		t.Fatal(err)
	}
	isWritten := map[string]bool{}
	for _, path := range written {
		name := filepath.Base(path)
		isWritten[name] = true
		got, err := os.ReadFile(name)
		if err != nil {
			t.Errorf("%v: run go generate in runtime/kernels", err)
			continue
		}
		if want, err := os.ReadFile(path); err != nil {
			t.Error(err)
		} else if !bytes.Equal(got, want) {
			t.Errorf("%s differs from what its generator writes: run go generate in runtime/kernels", name)
		}
	}
	assembly, err := filepath.Glob("*.s")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range assembly {
		if !isWritten[name] {
			t.Errorf("no generator writes %s", name)
		}
	}
}
