// Package deps keeps the import graph of the project as a test.
package deps

import (
	"encoding/json"
	"io"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

// rules says which packages of the project each folder may import. A folder is a
// folder with all below it unless a rule of its own names a folder inside; a
// name ending in /* represents everything below.
var rules = []struct {
	folder string
	may    []string
}{
	{"ir/num", nil},
	{"ir/effect", nil},
	{"ir/scalar", []string{"ir/num", "ir/effect"}},
	{"ir/term", []string{"ir/num", "ir/scalar"}},
	{"ir", []string{"ir/num", "ir/effect"}},
	{"ir/routine", []string{"ir"}},
	{"dialect/builtin", []string{"ir", "ir/*"}},
	{"dialect/pto/sem", []string{"ir", "ir/*"}},
	{"dialect/pto", []string{"ir", "ir/*", "dialect/arith", "dialect/memref", "dialect/scf", "dialect/pto/sem"}},
	{"dialect/pto/order", []string{"ir", "ir/*", "dialect/pto/sem"}},
	{"dialect/pto/analysis", []string{"ir", "ir/*", "dialect/*"}},
	{"dialect/pto/lanemap", []string{"ir", "ir/*", "dialect/pto", "dialect/pto/sem"}},
	{"dialect/pto/nest", []string{"ir", "ir/*", "dialect/pto", "dialect/pto/sem", "dialect/pto/isa/*"}},
	{"dialect/pto/isa", []string{"ir", "ir/*", "dialect/arith", "dialect/builtin", "dialect/math", "dialect/memref", "dialect/pto", "dialect/pto/lanemap", "dialect/pto/sem", "dialect/pto/isa/*"}},
	{"internal/refpage", []string{"ir", "ir/*", "dialect/pto", "dialect/pto/*"}},
	{"dialect", []string{"ir", "ir/*", "dialect/*"}},
	{"passes", []string{"ir", "ir/*", "dialect/*", "passes", "passes/*"}},
	{"lower", []string{"ir", "ir/*", "dialect/*", "passes", "lower/*"}},
	{"lower/flow", nil},
	{"lower/plan", []string{"ir", "ir/*", "dialect/*", "passes", "lower/flow"}},
	{"lower/bufferize", []string{"ir", "ir/*", "dialect/*", "passes", "lower/flow"}},
	{"lower/ptoas", []string{"ir", "ir/*", "dialect/*"}},
	{"lower/splitcores", []string{"ir", "ir/*", "dialect/*", "passes", "lower/axes", "lower/bufferize"}},
	{"lower/syncproof", []string{"ir", "ir/*", "dialect/*"}},
	{"lower/insertsync", []string{"ir", "ir/*", "dialect/*", "passes", "lower/syncproof"}},
	{"lower/fusion", []string{"ir", "ir/*", "dialect/*", "passes"}},
	{"lower/vector", []string{"ir", "ir/*", "dialect/*", "passes"}},
	{"lower/expand", []string{"ir", "ir/*", "dialect/*", "passes"}},
	{"codegen/llvm", []string{"ir", "ir/*", "dialect/*", "codegen/ll"}},
	{"codegen/jit", []string{"ir", "ir/*", "dialect/*", "codegen/ll", "codegen/llvm", "internal/temporary"}},
	{"codegen/ll", []string{"ir/*"}},
	{"codegen/llvmtest", []string{"ir", "ir/*", "dialect/*", "codegen/llvm", "codegen/jit", "tools/outside"}},
	{"codegen/cpp", []string{"ir", "ir/*", "dialect/*"}},
	{"frontend", []string{"ir", "ir/*", "dialect/*", "codegen/cpp", "frontend/*", "internal/pattern", "internal/temporary"}},
	{"frontend/llir", nil},
	{"runtime", []string{"ir", "ir/*", "dialect/*", "runtime", "runtime/*"}},
	{"runtime/kernels", []string{"ir/*"}},
	{"kernel", []string{"ir", "ir/*", "dialect/*", "passes", "lower", "lower/*", "runtime", "kernel/build"}},
	{"kernel/debug", []string{"ir", "ir/*", "dialect/*", "kernel", "runtime"}},
	{"kernel/build", []string{"ir", "ir/*", "dialect/*"}},
	{"tools/outside", nil},
	{"tools/testsize", nil},
	{"internal/pattern", nil},
	{"internal/textdiff", nil},
	{"internal/temporary", nil},
	{"internal/lit", []string{"internal/filecheck", "internal/filecheck/*", "internal/textdiff"}},
	{"internal/data", []string{"ir", "ir/*", "dialect/*", "runtime", "kernel"}},
	{"internal/notes", []string{"ir", "dialect/*", "internal/data", "kernel"}},
	{"internal/quick", []string{"ir", "dialect/*", "internal/data", "internal/notes", "kernel", "runtime", "runtime/check"}},
	{"internal/site", []string{"examples", "internal/version", "web"}},
	{"internal/version", []string{"dialect/pto/history"}},
	{"internal/filecheck", []string{"internal/filecheck/*", "internal/version"}},
	{"internal/cli/exit", nil},
	{"internal/cli/clitest", nil},
	{"internal/cli/limit", []string{"runtime", "internal/temporary"}},
	{"internal/cli/report", []string{"ir", "runtime", "runtime/check", "internal/cli/exit", "internal/cli/limit", "internal/pattern", "internal/temporary", "internal/version"}},
	{"internal/cli/files", []string{"ir", "frontend/cpp", "internal/cli/limit", "internal/cli/report", "internal/temporary"}},
	{"internal/cli/flags", []string{"ir", "dialect/pto/sem", "kernel", "frontend/cpp", "internal/cli/exit", "internal/cli/report"}},
	{"internal/cli/proof", []string{"ir", "ir/num", "runtime", "runtime/equiv", "runtime/expr", "kernel", "internal/data"}},
	{"internal/cli/opt", slices.Concat(libraries, shared, []string{"internal/data", "internal/example", "internal/jsonform", "internal/playground", "internal/refpage", "internal/repair", "internal/textdiff", "internal/version"})},
	{"internal/cli/run", slices.Concat(libraries, shared, []string{"internal/advise", "internal/dap", "internal/data", "internal/jsonform", "internal/notes", "internal/offers", "internal/playground", "internal/repair", "internal/serve", "internal/temporary", "internal/textdiff", "internal/tune", "internal/version"})},
	{"internal/cli/serve", slices.Concat(libraries, shared, []string{"internal/cli/opt", "internal/cli/run", "internal/data", "internal/serve", "internal/temporary", "internal/version"})},
	{"internal/cli/reduce", slices.Concat(shared, []string{"ir", "internal/cli/opt", "internal/reduce", "internal/temporary", "internal/version"})},
	{"internal/cli/editor", slices.Concat(shared, []string{"dialect/pto/sem", "internal/version"})},
	{"internal/cli", []string{"internal/cli/opt", "internal/cli/run", "internal/cli/serve", "internal/cli/reduce", "internal/cli/editor"}},
	{"internal", []string{"ir", "ir/*", "dialect/*", "passes", "lower", "lower/*", "codegen/*", "frontend/*", "runtime", "runtime/*", "kernel", "kernel/*", "internal/*", "web"}},
	{"tools", []string{"*"}},
	{"test", []string{"*"}},
	{"cmd", []string{"internal/filecheck", "internal/mcpserver", "internal/playground", "internal/site"}},
	{"cmd/pto-opt", []string{"internal/cli/limit", "internal/cli/opt"}},
	{"cmd/pto-run", []string{"internal/cli/limit", "internal/cli/run", "internal/cli/serve"}},
	{"cmd/pto-reduce", []string{"internal/cli/reduce"}},
	{"cmd/pto-lsp-server", []string{"internal/cli/editor", "internal/cli/run", "internal/lsp"}},
	{"ptogo", []string{"internal/quick"}},
	{"examples", nil},
	{"web", nil},
}

// libraries are the packages that compute, for the tools.
var libraries = []string{"ir", "ir/*", "dialect/*", "passes", "lower", "lower/*", "codegen/*", "frontend/*", "runtime", "runtime/*", "kernel", "kernel/*", "web"}

// shared are the packages that all command-line tools share.
var shared = []string{"internal/cli/exit", "internal/cli/files", "internal/cli/flags", "internal/cli/limit", "internal/cli/proof", "internal/cli/report", "internal/pattern"}

// slowToCompile are packages that README's first command, "go run .", must not compile.
var slowToCompile = []string{
	"codegen", "frontend", "internal/cli", "internal/dap", "internal/lsp", "internal/tune", "lower/insertsync", "lower/syncproof",
	"lower/vmi", "lower/expand", "lower/vector", "lower/splitcores", "runtime/timing", "ir/term", "dialect/all",
	"dialect/pto/isa/vector", "dialect/pto/isa/vmi",
}

// TestFirstCommand verifies that the first command of a newcomer compiles only what the
// execution of a kernel needs. Package net, which a C compiler would help to build,
// encoding/json and regexp are parts of the standard library that it does not need.
func TestFirstCommand(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", module).Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for _, p := range strings.Fields(string(out)) {
		if p == "net" || p == "encoding/json" || p == "regexp" {
			t.Errorf("go run . compiles %s", p)
		}
		for _, slow := range slowToCompile {
			if within(strings.TrimPrefix(p, module+"/"), slow) {
				t.Errorf("go run . compiles %s", p)
			}
		}
	}
}

// external names the only importers of libraries that one folder hides.
var external = map[string]string{
	"github.com/llir/llvm": "codegen",
}

const module = "ptogo"

// TestImports fails on every import that the rules do not allow.
func TestImports(t *testing.T) {
	for _, p := range listPackages(t) {
		folder, may := ruleFor(p.ImportPath)
		if folder == "" {
			t.Errorf("package %s is in no folder; add a rule", p.ImportPath)
			continue
		}
		for _, imp := range p.Imports {
			for lib, owner := range external {
				if (imp == lib || strings.HasPrefix(imp, lib+"/")) && !within(strings.TrimPrefix(p.ImportPath, module+"/"), owner) {
					t.Errorf("%s imports %s, which only %s may", p.ImportPath, imp, owner)
				}
			}
			dep, ours := strings.CutPrefix(imp, module+"/")
			if ours && !allowed(dep, may) {
				t.Errorf("%s imports %s, but folder %s may import only %v", p.ImportPath, dep, folder, may)
			}
		}
	}
}

type goPackage struct {
	ImportPath string
	Imports    []string
}

func listPackages(t *testing.T) []goPackage {
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", module+"/...")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var ps []goPackage
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := dec.Decode(&p); err == io.EOF {
			return ps
		} else if err != nil {
			t.Fatal(err)
		}
		ps = append(ps, p)
	}
}

// ruleFor returns the rule of the innermost folder around a package.
func ruleFor(importPath string) (folder string, may []string) {
	p := strings.TrimPrefix(importPath, module+"/")
	for _, r := range rules {
		if within(p, r.folder) && len(r.folder) > len(folder) {
			folder, may = r.folder, r.may
		}
	}
	return folder, may
}

func within(p, folder string) bool { return p == folder || strings.HasPrefix(p, folder+"/") }

func allowed(dep string, may []string) bool {
	for _, m := range may {
		if m == dep || m == "*" {
			return true
		}
		if base, ok := strings.CutSuffix(m, "/*"); ok && strings.HasPrefix(path.Clean(dep), base+"/") {
			return true
		}
	}
	return false
}
