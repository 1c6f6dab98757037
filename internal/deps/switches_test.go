package deps

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// kindSwitches is how many switches over kinds of meaning stand in each package
// outside dialect/pto/sem. What is true of a kind belongs there, as a method or
// an optional interface; what an engine does for it, into a table of routines
// (ir/routine). The numbers may only fall; those that remain have reasons.
var kindSwitches = map[string]struct {
	most int
	why  string
}{
	"codegen/llvm":         {2, "what a launch has of sections, calls and buffers, each with types of the dialect"},
	"codegen/cpp":          {5, "which cores and guards a statement needs, by names of the library"},
	"dialect/pto":          {1, "rules, and bytes of tiles, which need the types of the dialect"},
	"dialect/pto/analysis": {4, "what a program does with memory, places and launches"},
	"dialect/pto/isa/simt": {1, "which accesses of work items are atomic"},
	"dialect/pto/isa/sync": {1, "what declares, pushes and pops a queue"},
	"internal/refpage":     {1, "one sentence for each kind"},
	"internal/notes":       {1, "whether a kernel has flags of its own"},
	"tools/corpus/resync":  {1, "which units of synchronization a kernel has"},
	"internal/example":     {3, "what an example needs around it"},
	"lower/bufferize":      {1, "valid regions of results, by what an instruction means"},
	"lower/plan":           {3, "plans of memory: what allocates, copies and reserves"},
	"lower/insertsync":     {9, "places behind values, which follow views and pointers"},
	"lower/syncproof":      {4, "control flow, and what orders instructions"},
	"passes":               {1, "what ends control"},
	"runtime":              {11, "which bytes of tiles and views an event names, and which pipe it is handed to"},
	"runtime/timing":       {5, "one formula of cycles for each sort of instruction"},
	"test/diff":            {7, "how random programs are made, and a second meaning to compare with"},
}

// TestKindSwitches counts type switches that name a kind.
func TestKindSwitches(t *testing.T) {
	found := map[string][]string{}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		dir, _ := filepath.Rel(root, filepath.Dir(path))
		if dir = filepath.ToSlash(dir); dir != "dialect/pto/sem" {
			found[dir] = append(found[dir], switchesOver(t, path)...)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for dir, at := range found {
		if limit := kindSwitches[dir]; len(at) > limit.most {
			t.Errorf("%s has %d switches over kinds of meaning, at most %d wanted (%s): ask the kind, or use a table of routines\n%s",
				dir, len(at), limit.most, limit.why, strings.Join(at, "\n"))
		}
	}
}

// switchesOver lists the type switches of a file with a case of package sem.
func switchesOver(t *testing.T, path string) (at []string) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.TypeSwitchStmt); ok && namesKind(s) {
			at = append(at, files.Position(s.Pos()).String())
		}
		return true
	})
	return at
}

func namesKind(s *ast.TypeSwitchStmt) bool {
	for _, stmt := range s.Body.List {
		for _, typ := range stmt.(*ast.CaseClause).List {
			if sel, ok := typ.(*ast.SelectorExpr); ok {
				if x, ok := sel.X.(*ast.Ident); ok && x.Name == "sem" {
					return true
				}
			}
		}
	}
	return false
}
