package deps

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ptogo/dialect/pto"
	_ "ptogo/dialect/pto/isa"
	"ptogo/dialect/pto/nest"
	"ptogo/dialect/pto/sem"
	"ptogo/internal/example"
	"ptogo/ir"
)

// decisions are the functions that treat some kinds of meaning in a way of their own and
// all others in a default way. A kind that is new must be handled or listed in usual:
// otherwise the default would apply to it without a decision.
var decisions = []struct {
	dir string
	// funcs are the functions that together name the kinds with a way of their own.
	funcs []string
	// concerns reports whether the decision is relevant for a definition.
	concerns func(d *ir.Def) bool
	// usual maps the kinds for which the default is right to the reason.
	usual map[string]string
}{
	{"runtime/timing", []string{"lower"}, tileOnVector, map[string]string{
		"TileCompare":        byTable,
		"TileIndex":          byTable,
		"TilePad":            byTable,
		"TileTri":            byTable,
		"MemGather":          notMeasured,
		"MemScatter":         notMeasured,
		"TileAddReluConvert": notMeasured,
		"TileConcat":         notMeasured,
		"TileDequant":        notMeasured,
		"TileHistogram":      notMeasured,
		"TileInterleave":     notMeasured,
		"TilePairSum":        notMeasured,
		"TileQuant":          notMeasured,
		"TileQuantMX":        notMeasured,
		"TileRandom":         notMeasured,
		"TileScatter":        notMeasured,
		"QueueEntry":         "no public source has a duration of the copy of an entry",
		"TileStore":          "a store belongs to pipe MTE3 or FIX, which have formulas of their own",
		"Print":              "a print serves debugging, and its time does not matter",
	}},
	{"runtime/timing", []string{"factors"}, onCube, map[string]string{}},
	{"runtime", []string{"tileRegion", "read"}, readsUndescribed, map[string]string{
		"TileTranspose":  ownValid,
		"TileMerge":      ownValid,
		"TileQuantMX":    ownValid,
		"TileInterleave": "the verifier and the instruction require that the sources cover the results",
		"QueueEntry":     ownValid,
		"ConfigSet":      ownValid,
		"TileSet":        "the other elements of the tile are kept (KeepsRest), so the instruction has no read",
		"Barrier":        "a barrier for tiles waits for writes to their valid regions",
		"CommCopy":       onlyBuffer,
		"CommCollective": onlyBuffer,
		"CommSession":    onlyBuffer,
		"Print":          ownValid,
	}},
	{"runtime", []string{"tileRegion", "written"}, writesUndescribed, map[string]string{
		"MemGather":          ownValid,
		"TileAddReluConvert": ownValid,
		"TileDequant":        ownValid,
		"TileGatherBlocks":   ownValid,
		"TileIndex":          ownValid,
		"TileQuant":          ownValid,
		"TileQuantMX":        ownValid,
		"TileRandom":         ownValid,
		"TileTri":            ownValid,
		"QueueEntry":         ownValid,
		"CommCopy":           onlyBuffer,
		"CommCollective":     onlyBuffer,
		"CommSession":        onlyBuffer,
	}},
	{"runtime", []string{"withEvents", "eventKind"}, orders, map[string]string{
		"CommCopy":       moves,
		"CommCollective": moves,
		"Prefetch":       moves,
		"CommSession":    scalarOnly,
		"Local":          scalarOnly,
		"LocalBuffer":    scalarOnly,
		"QueueInit":      scalarOnly,
		"WriteRegister":  scalarOnly,
	}},
}

// Reasons that hold for several kinds.
const (
	byTable     = "the table opcodes has the instruction, which TestOpcodes verifies"
	notMeasured = "no public source has a duration; the assumed one is listed as assumed in reports"
	ownValid    = "the instruction reads or writes exactly the valid region of the operand"
	onlyBuffer  = "the tile is a buffer of the copy, whose whole valid region the device may use"
	moves       = "the instruction moves data and has an ordinary event"
	scalarOnly  = "the instruction prepares others and orders nothing"
)

// tileOnVector reports whether d is a tile instruction that the vector unit can execute.
func tileOnVector(d *ir.Def) bool {
	info := pto.InfoOf(d)
	return info != nil && (info.Pipe == sem.PipeV || info.PipeOf != nil) && (readsTile(d) || writesTile(d))
}

// onCube reports whether the cube unit executes d.
func onCube(d *ir.Def) bool {
	info := pto.InfoOf(d)
	return info != nil && info.Pipe == sem.PipeM
}

// orders reports whether d belongs to the instructions that synchronize or communicate.
func orders(d *ir.Def) bool {
	info := pto.InfoOf(d)
	return info != nil && (info.Group == "sync" || info.Group == "comm")
}

func readsTile(d *ir.Def) bool  { return touchesTile(d, pto.Reads) }
func writesTile(d *ir.Def) bool { return touchesTile(d, pto.Writes) }

// described has the kinds whose accessed bytes derive from a description.
var described = nest.Descriptions[int, int, int]()

func readsUndescribed(d *ir.Def) bool  { return readsTile(d) && !described.Has(d.Sem) }
func writesUndescribed(d *ir.Def) bool { return writesTile(d) && !described.Has(d.Sem) }

// touchesTile reports whether an example of d has a tile operand with the given effect.
func touchesTile(d *ir.Def, effect pto.EffectKind) bool {
	for _, s := range example.Spellings(d) {
		m, _ := example.Read(d, s.Text)
		if m == nil {
			continue
		}
		op := example.Find(m, d)
		if op == nil {
			continue
		}
		for i, a := range op.Form().Operands {
			for k, to := op.ArgRange(i); k < to; k++ {
				if v := op.Operand(k); pto.IsTile(v.Type()) && pto.EffectOn(op, a, v)&effect != 0 {
					return true
				}
			}
		}
	}
	return false
}

// TestDecisions verifies that each kind is handled by name or listed as usual, and that
// no list names a kind for nothing.
func TestDecisions(t *testing.T) {
	for _, c := range decisions {
		name := c.dir + ": " + strings.Join(c.funcs, ", ")
		handled := kindsIn(t, filepath.Join("..", "..", c.dir), c.funcs)
		relevant := map[string]string{}
		for _, d := range pto.Dialect.All() {
			if d.Sem != nil && c.concerns(d) {
				relevant[strings.TrimPrefix(fmt.Sprintf("%T", d.Sem), "sem.")] = d.Name
			}
		}
		for _, kind := range slices.Sorted(maps.Keys(relevant)) {
			if !handled[kind] && c.usual[kind] == "" {
				t.Errorf("%s: kind %s (%s) is neither handled nor listed with the reason why the default is right", name, kind, relevant[kind])
			}
		}
		for kind := range c.usual {
			if relevant[kind] == "" || handled[kind] {
				t.Errorf("%s: kind %s needs no entry: it is handled by name, or no instruction of this decision has it", name, kind)
			}
		}
	}
}

// kindsIn returns the kinds of package sem that type switches and type assertions in the
// functions of a folder name.
func kindsIn(t *testing.T, dir string, funcs []string) map[string]bool {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no Go files in %s: %v", dir, err)
	}
	kinds, found := map[string]bool{}, map[string]bool{}
	note := func(e ast.Expr) {
		if sel, ok := e.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == "sem" {
				kinds[sel.Sel.Name] = true
			}
		}
	}
	files := token.NewFileSet()
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || !slices.Contains(funcs, f.Name.Name) {
				continue
			}
			found[f.Name.Name] = true
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.TypeSwitchStmt:
					for _, stmt := range n.Body.List {
						for _, typ := range stmt.(*ast.CaseClause).List {
							note(typ)
						}
					}
				case *ast.TypeAssertExpr:
					note(n.Type)
				}
				return true
			})
		}
	}
	for _, f := range funcs {
		if !found[f] {
			t.Errorf("%s has no function %s", dir, f)
		}
	}
	return kinds
}
