package deps

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// engines are the folders whose code must not compare the name of an operation with a
// text. A definition has an identity (op.Is), a kind of meaning and facts for that.
var engines = []string{"runtime", "lower", "passes", "codegen", "kernel", "dialect/pto/order", "dialect/pto/analysis"}

// TestNames finds comparisons such as op.Name() == "pto.tadd", and switches over names.
func TestNames(t *testing.T) {
	root := filepath.Join("..", "..")
	for _, dir := range engines {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			for _, at := range comparedNames(t, path) {
				t.Errorf("%s compares the name of an operation with a text: use op.Is, its kind of meaning or a fact of its definition", at)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// comparedNames lists where a file compares a name with the full name of an operation.
func comparedNames(t *testing.T, path string) (at []string) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if (n.Op == token.EQL || n.Op == token.NEQ) && (isName(n.X) && opName(n.Y) || isName(n.Y) && opName(n.X)) {
				at = append(at, files.Position(n.Pos()).String())
			}
		case *ast.SwitchStmt:
			if n.Tag == nil || !isName(n.Tag) {
				break
			}
			for _, stmt := range n.Body.List {
				for _, e := range stmt.(*ast.CaseClause).List {
					if opName(e) {
						at = append(at, files.Position(e.Pos()).String())
					}
				}
			}
		}
		return true
	})
	return at
}

// isName reports whether e is a call of a method Name, or the field Name of a call of
// Def.
func isName(e ast.Expr) bool {
	if call, ok := e.(*ast.CallExpr); ok {
		sel, ok := call.Fun.(*ast.SelectorExpr)
		return ok && sel.Sel.Name == "Name" && len(call.Args) == 0
	}
	sel, ok := e.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Name" {
		return false
	}
	call, ok := sel.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	def, ok := call.Fun.(*ast.SelectorExpr)
	return ok && def.Sel.Name == "Def"
}

// opName reports whether e is a text such as "pto.tadd", with a dialect and a mnemonic.
func opName(e ast.Expr) bool {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return false
	}
	s, err := strconv.Unquote(lit.Value)
	dialect, mnemonic, dotted := strings.Cut(s, ".")
	return err == nil && dotted && dialect != "" && mnemonic != ""
}
