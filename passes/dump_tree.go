// This file writes dumps into a tree of files.

package passes

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"ptogo/ir"
)

// DumpTree writes dumps into a tree of files, as MLIR does. Each operation has a folder
// inside the folder of its parent, and each dump is a file. The name of a file starts with
// numbers: one for each enclosing operation, from the outside to the inside, and then one
// for the operation itself. The number of the operation itself counts its dumps, starting
// with 0. The number of an enclosing operation is the number of its latest dump, or 0.
//
//	DIR/builtin_module_no-symbol-name/0_canonicalize.mlir
//	DIR/builtin_module_no-symbol-name/func_func_f/0_0_cse.mlir
type DumpTree struct {
	// dir is the root of the tree.
	dir string
	// mu guards counts and err, since functions are processed in parallel.
	mu sync.Mutex
	// counts is the number of dumps written so far for each operation.
	counts map[*ir.Op]int
	// err is the first error.
	err error
}

// NewDumpTree returns a tree below dir. The first dump creates the folder.
func NewDumpTree(dir string) *DumpTree {
	return &DumpTree{dir: dir, counts: map[*ir.Op]int{}}
}

// Err returns the first error that occurred while writing, or nil.
func (t *DumpTree) Err() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err
}

// write writes the text of op after the pass p to a file of the tree.
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

// path returns the file name for the next dump of op, and counts the dump.
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
		// An enclosing operation now counts as seen, so its own next dump gets
		// number 1.
		t.counts[at] += 0
	}
	folders = append(folders, t.dir)
	slices.Reverse(folders)
	slices.Reverse(counts)
	return filepath.Join(append(folders, strings.Join(counts, "_")+"_"+p.Name+".mlir")...)
}

// folderOf returns the folder name of an operation: its name and its symbol,
// without characters that separate folders.
func folderOf(op *ir.Op) string {
	symbol, ok := ir.SymbolName(op)
	if !ok {
		symbol = "no-symbol-name"
	}
	return strings.ReplaceAll(op.Name(), ".", "_") + "_" + escaped(symbol)
}

// escaped replaces each byte of a name that is not a letter, a digit or one of -_.~$&+=:@
// by % and two hexadecimal digits. The result is the same as that of url.PathEscape; the
// package net/url would make each program with passes import parts of package net.
func escaped(name string) string {
	var b strings.Builder
	for _, c := range []byte(name) {
		switch {
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-_.~$&+=:@", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
