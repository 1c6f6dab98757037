package deps

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// readsByName is how often an engine may read an operand or an attribute of an
// instruction by its name. Descriptors (sem.ProductOf and similar) are for
// that: they say once, for all engines, what a name means. The numbers may only
// fall.
var readsByName = map[string]int{"runtime": 0, "codegen/llvm": 0, "codegen/cpp": 45}

// otherDialects are the files about operations of func, vector, memref and llvm
// and about attributes of functions, which have no descriptors.
var otherDialects = map[string]bool{
	"runtime/bitcast.go": true, "runtime/control.go": true, "runtime/memref.go": true, "runtime/program.go": true,
	"runtime/stack.go":        true,
	"codegen/llvm/bitcast.go": true, "codegen/llvm/emit.go": true, "codegen/llvm/function.go": true, "codegen/llvm/memref.go": true,
	"codegen/llvm/prototype.go": true, "codegen/llvm/simt.go": true, "codegen/llvm/simt_together.go": true, "codegen/llvm/stack.go": true,
	"codegen/llvm/team.go": true,
}

// TestDescriptors counts calls such as op.Attr("mode") in the engines.
func TestDescriptors(t *testing.T) {
	for dir, most := range readsByName {
		reads := slices.DeleteFunc(namedReads(t, filepath.Join("..", "..", dir)), func(at string) bool {
			file, _, _ := strings.Cut(filepath.Base(at), ":")
			return otherDialects[dir+"/"+file]
		})
		if len(reads) > most {
			t.Errorf("%s reads %d operands and attributes by name, at most %d wanted: put what is new into a descriptor of dialect/pto/sem\n%s",
				dir, len(reads), most, strings.Join(reads, "\n"))
		}
	}
}

// namedReads lists the reads by name in the Go files of a folder, but for tests.
func namedReads(t *testing.T, dir string) (reads []string) {
	files := token.NewFileSet()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no Go files in %s: %v", dir, err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && readsNamed(call) {
				reads = append(reads, files.Position(call.Pos()).String())
			}
			return true
		})
	}
	return reads
}

// readsNamed reports whether a call reads an operand or attribute by a name in
// quotes, by itself or by a helper that is given the instruction and the name.
func readsNamed(call *ast.CallExpr) bool {
	var name string
	switch fun := call.Fun.(type) {
	case *ast.SelectorExpr:
		name = fun.Sel.Name
	case *ast.Ident:
		name = fun.Name
	}
	switch name {
	case "Attr", "HasAttr", "Arg", "Args":
		return len(call.Args) == 1 && quoted(call.Args[0])
	case "arg", "tileArg", "slotsOf", "memoryAt", "queueView", "extent", "popped":
		return len(call.Args) > 1 && quoted(call.Args[1])
	}
	return false
}

func quoted(e ast.Expr) bool {
	lit, ok := e.(*ast.BasicLit)
	return ok && lit.Kind == token.STRING
}
