// Package ptoas reads and writes PTO-AS, the assembly syntax of Level 1. A program
// is a list of instructions, one per line, after declarations of its inputs. ReadAS
// and WriteAS are the entry points.
//
//	.arg %a : !pto.tile<16x64xf32>;
//	.const %s = 2.0 : f32;
//	%d = tdivs %a, %s : !pto.tile<16x64xf32>, f32;
//
// A program is one function, and the arguments are its parameters. Opcodes are
// those of the pto dialect without the prefix. Views, arithmetic and other
// operations without regions may be in MLIR syntax.
package ptoas

import (
	"path/filepath"
	"strings"

	"ptogo/dialect/fn"
	"ptogo/ir"
)

// ASOptions are the options of ReadAS, which parses programs in the assembly syntax
// PTO-AS.
type ASOptions struct {
	ir.ParseOptions
	// Function is the name of the function; the default is derived from the file
	// name.
	Function string
}

// IsAS reports whether a text is in the assembly syntax PTO-AS and not in MLIR syntax. It
// examines the first statement: PTO-AS starts with a directive such as .arg, or with an
// instruction without its dialect prefix.
func IsAS(text string) bool {
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "//")
		line = strings.TrimLeft(line, " \t\r\n;")
		if line == "" {
			continue
		}
		if strings.HasPrefix(line, ".") {
			return true
		}
		if op := opcode(line); op != "" && !sharedOpcode(op) {
			return ir.Lookup(op) == nil && ir.Lookup("pto."+op) != nil
		}
		return false
	}
	return false
}

// sharedOpcode reports whether an instruction name without a dialect prefix is legal both
// in PTO-AS and in MLIR, such as "return".
func sharedOpcode(op string) bool {
	return ir.Lookup("builtin."+op) != nil || ir.Lookup("func."+op) != nil
}

// opcode returns the instruction name in a statement, which follows the names of the
// results.
func opcode(s string) string {
	if strings.HasPrefix(s, "%") {
		_, rest, ok := strings.Cut(s, "=")
		if !ok {
			return ""
		}
		s = strings.TrimLeft(rest, " \t")
	}
	n := 0
	for n < len(s) && isOpcodeByte(s[n]) {
		n++
	}
	return s[:n]
}

func isOpcodeByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '$'
}

// ReadAS parses a PTO-AS program and returns a module with one function. It returns
// nil after an error, which is in diags.
func ReadAS(src *ir.Source, o ASOptions, diags *ir.Diags) *ir.Op {
	return ir.ReadText(src, o.ParseOptions, diags, func(p *ir.Parser) *ir.Op {
		p.SetDefaultDialect("pto")
		r := &asReader{p: p, src: p.Source(), block: ir.NewBlock()} // not src: ReadText also tries edited texts
		for !p.AtEOF() && !p.Failed() {
			p.Statement(r.statement)
		}
		if !p.Finish() {
			return nil
		}
		module := r.module(o)
		if !p.Renew(module) {
			return nil
		}
		return module
	})
}

// module returns a module with one function that contains the instructions which have
// been read.
func (r *asReader) module(o ASOptions) *ir.Op {
	name := o.Function
	if name == "" {
		name = functionName(r.src.Name)
	}
	loc := ir.LocAt(r.src, 0)
	ir.AtEnd(r.block, loc).Create(ir.State{Def: fn.Return})
	var ins []ir.Type
	for _, a := range r.block.Args() {
		ins = append(ins, a.Type())
	}
	f := ir.New(ir.State{Def: fn.Func, Loc: loc, Regions: []*ir.Region{ir.NewRegion(r.block)}})
	f.SetAttr("sym_name", ir.Str(name))
	f.SetAttr("pto.kernel", ir.Unit)
	fn.SetType(f, ins, nil)
	body := ir.NewBlock()
	body.Append(f)
	return ir.New(ir.State{Def: ir.ModuleDef, Loc: loc, Regions: []*ir.Region{ir.NewRegion(body)}})
}

// functionName derives the name of a function from a file name. It returns "main" if the
// file name contains no usable characters.
func functionName(file string) string {
	base := filepath.Base(file)
	base = strings.TrimSuffix(base, filepath.Ext(base))
	name := strings.Map(func(c rune) rune {
		if c < 0x80 && isOpcodeByte(byte(c)) && c != '.' {
			return c
		}
		return '_'
	}, base)
	if name == "" || base == "<stdin>" || strings.Trim(name, "_") == "" || name[0] >= '0' && name[0] <= '9' {
		return "main"
	}
	return name
}
