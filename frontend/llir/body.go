// This file reads the blocks of functions and connects them.

package llir

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// bodyReader reads the body of a function.
type bodyReader struct {
	m      *Module
	f      *Function
	values map[string]*Value
	blocks map[string]*Block
}

// block returns the block with the given name, which may follow later.
func (r *bodyReader) block(name string) *Block {
	b := r.blocks[name]
	if b == nil {
		b = &Block{Name: name}
		r.blocks[name] = b
	}
	return b
}

// read parses the lines of a body.
func (r *bodyReader) read(lines []string) error {
	var at *Block
	defined := map[*Block]bool{}
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		if line == "" || line[0] == ';' || line[0] == '#' {
			continue
		}
		if name, ok := labelOf(line); ok {
			at = r.block(name)
			if defined[at] {
				return fmt.Errorf("block %s is defined twice", name)
			}
			defined[at] = true
			r.f.Blocks = append(r.f.Blocks, at)
			continue
		}
		if at == nil { // the entry has no label
			at = r.block(strconv.Itoa(len(r.f.Params)))
			defined[at] = true
			r.f.Blocks = append(r.f.Blocks, at)
		}
		for strings.HasPrefix(line, "switch ") && !strings.Contains(line, "]") && i+1 < len(lines) {
			i++
			line += " " + strings.TrimSpace(lines[i])
		}
		v, err := r.inst(line)
		if err != nil {
			return fmt.Errorf("in function %s: %w in: %s", r.f.Name, err, line)
		}
		v.Block = at
		at.Insts = append(at.Insts, v)
	}
	return r.finish(defined)
}

// labelOf returns the name in a line that starts a block.
func labelOf(line string) (string, bool) {
	if line[0] == '"' {
		end := strings.Index(line[1:], `":`)
		if end < 0 {
			return "", false
		}
		return unescape(line[1 : 1+end]), true
	}
	i := 0
	for i < len(line) && (isName(line[i]) || line[i] == '-') {
		i++
	}
	return line[:i], i > 0 && i < len(line) && line[i] == ':'
}

// finish checks the function and connects its blocks.
func (r *bodyReader) finish(defined map[*Block]bool) error {
	for _, v := range r.values {
		if v.forward {
			return fmt.Errorf("in function %s: value %%%s is not defined", r.f.Name, v.Name)
		}
	}
	for name, b := range r.blocks {
		if !defined[b] {
			return fmt.Errorf("in function %s: block %%%s is not defined", r.f.Name, name)
		}
	}
	if len(r.f.Blocks) == 0 {
		return fmt.Errorf("function %s is empty", r.f.Name)
	}
	for _, b := range r.f.Blocks {
		if len(b.Insts) == 0 || !isTerminator(b.Term().Op) {
			return fmt.Errorf("in function %s: block %%%s has no terminator", r.f.Name, b.Name)
		}
		for _, v := range b.Insts[:len(b.Insts)-1] {
			if isTerminator(v.Op) {
				return fmt.Errorf("in function %s: block %%%s has a terminator in its middle", r.f.Name, b.Name)
			}
		}
		b.Succs = b.Term().From
		for _, s := range b.Succs {
			s.Preds = append(s.Preds, b)
		}
	}
	for _, b := range r.f.Blocks {
		for i, v := range b.Insts {
			switch {
			case v.Op != "phi":
			case i > 0 && b.Insts[i-1].Op != "phi":
				return fmt.Errorf("in function %s: a phi follows another instruction", r.f.Name)
			case !sameBlocks(v.From, b.Preds):
				return fmt.Errorf("in function %s: phi %%%s does not have a value for each block before block %%%s", r.f.Name, v.Name, b.Name)
			}
		}
	}
	if len(r.f.Blocks[0].Preds) > 0 {
		return fmt.Errorf("in function %s: a branch leads to the first block", r.f.Name)
	}
	return r.acyclic()
}

// sameBlocks reports whether two lists contain the same blocks.
func sameBlocks(a, b []*Block) bool {
	if len(a) != len(b) {
		return false
	}
	for _, x := range a {
		if !slices.Contains(b, x) {
			return false
		}
	}
	return true
}

// acyclic returns an error if a value other than a phi depends on itself.
func (r *bodyReader) acyclic() error {
	done := map[*Value]bool{} // false while the operands are being visited
	type step struct {
		v *Value
		i int
	}
	for _, b := range r.f.Blocks {
		for _, first := range b.Insts {
			if _, seen := done[first]; seen || first.Op == "phi" {
				continue
			}
			done[first] = false
			for stack := []step{{first, 0}}; len(stack) > 0; {
				top := &stack[len(stack)-1]
				if top.i == len(top.v.Args) {
					done[top.v] = true
					stack = stack[:len(stack)-1]
					continue
				}
				a := top.v.Args[top.i]
				top.i++
				if a.Op == "phi" {
					continue
				}
				switch finished, seen := done[a]; {
				case !seen:
					done[a] = false
					stack = append(stack, step{a, 0})
				case !finished:
					return fmt.Errorf("in function %s: value %%%s depends on itself", r.f.Name, a.Name)
				}
			}
		}
	}
	return nil
}

func isTerminator(op string) bool {
	return op == "br" || op == "ret" || op == "unreachable" || op == "switch"
}
