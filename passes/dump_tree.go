package passes

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"ptogo/ir"
)

// DumpTree writes dumps into a tree of files, as MLIR does: one folder per
// operation inside that of the operation around it, and one file per dump. The
// name of a file counts the dumps of its operation, after those made so far of
// the operations around it:
//
//	DIR/builtin_module_no-symbol-name/0_canonicalize.mlir
//	DIR/builtin_module_no-symbol-name/func_func_f/0_0_cse.mlir
type DumpTree struct {
	dir    string
	mu     sync.Mutex
	counts map[*ir.Op]int
	err    error
}

// NewDumpTree writes below a folder, which is made when the first dump is.
func NewDumpTree(dir string) *DumpTree {
	return &DumpTree{dir: dir, counts: map[*ir.Op]int{}}
}

// Err is the first error of writing.
func (t *DumpTree) Err() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err
}

func (t *DumpTree) write(p *Pass, op *ir.Op, text []byte) {
	path := t.path(p, op)
	err := os.MkdirAll(filepath.Dir(path), 0o777)
	if err == nil {
		err = os.WriteFile(path, text, 0o666)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err == nil {
		t.err = err
	}
}

// path names the file of the next dump of an operation.
func (t *DumpTree) path(p *Pass, op *ir.Op) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, seen := t.counts[op]; seen {
		t.counts[op]++
	}
	var folders, counts []string
	for at := op; at != nil; at = at.Parent() {
		folders = append(folders, folderOf(at))
		counts = append(counts, fmt.Sprint(t.counts[at]))
		// An operation that only lies around a dump counts as dumped, too.
		t.counts[at] += 0
	}
	folders = append(folders, t.dir)
	slices.Reverse(folders)
	slices.Reverse(counts)
	return filepath.Join(append(folders, strings.Join(counts, "_")+"_"+p.Name+".mlir")...)
}

// folderOf is the name of an operation and its symbol, without what separates
// folders.
func folderOf(op *ir.Op) string {
	symbol, ok := ir.SymbolName(op)
	if !ok {
		symbol = "no-symbol-name"
	}
	return strings.ReplaceAll(op.Name(), ".", "_") + "_" + url.PathEscape(symbol)
}
