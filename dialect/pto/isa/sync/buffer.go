// This file defines buffer tokens.

package sync

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Definitions of the instructions on buffer tokens, which order the uses of a buffer by
// several pipes. The number of the token is a constant, or a value in the forms with
// suffix dyn.
var (
	GetBuf    = bufOp("get_buf", sem.BufAcquire{}, false, "Makes a pipe wait until buffer buf_id is free, and acquires the buffer.")
	RlsBuf    = bufOp("rls_buf", sem.BufRelease{}, false, "Frees buffer buf_id when earlier instructions of a pipe are done.")
	GetBufDyn = bufOp("get_buf_dyn", sem.BufAcquire{}, true, "Makes a pipe wait until buffer buf_id is free, and acquires the buffer.")
	RlsBufDyn = bufOp("rls_buf_dyn", sem.BufRelease{}, true, "Frees buffer buf_id when earlier instructions of a pipe are done.")
)

// bufOp declares the instruction with the given name, which acquires or releases a buffer
// token, as the parameter kind states. If the parameter dyn is set, the number of the
// token is an operand; otherwise it is a constant attribute.
func bufOp(name string, kind ir.Meaning, dyn bool, doc string) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		o := Op{
			Name: name, Doc: doc, Sem: kind,
			Attrs: []ir.AttrDef{
				{Name: "op_type", Type: pipeLike, Doc: "a pipe, or a kind of operation, which selects the pipe that executes it"},
				{Name: "buf_id", Type: IntIn(ir.I32, 0, 31)},
				{Name: "mode", Type: IntIn(ir.I32, 0, 1<<31-1), Default: ir.IntAttr(ir.I32, 0), Doc: "1 works as flags do"},
			},
			Rules:    []Rule{concretePipe("op_type")},
			Syntax:   bufSyntax(dyn),
			Examples: []string{"pto." + name + ` "PIPE_MTE2", 0, 0`},
		}
		if dyn {
			o.Ins = Args{In("buf_id", Index)}
			o.Attrs = []ir.AttrDef{o.Attrs[0], o.Attrs[2]}
			o.Examples = []string{"pto." + name + ` "PIPE_MTE2", %i, 0`}
		}
		return syncOp(o)
	})
}

// bufSyntax returns the syntax of instructions on buffer tokens. The text contains
// "PIPE", id, mode, or [type, id, mode] with the type of an operation instead of a pipe.
// The mode may be omitted. If dyn is set, id is a value that is only known at run time;
// otherwise it is a constant.
func bufSyntax(dyn bool) ir.Syntax {
	return ir.Hook{
		ParseFn: func(p *ir.Parser, st *ir.OpParse) { parseBuf(p, st, dyn) },
		PrintFn: func(w *ir.Printer, op *ir.Op) { printBuf(w, op, dyn) },
	}
}

// parseBuf parses the operands of an instruction on a buffer token. The text is either
// "PIPE", id, mode with the name of a pipe, or [type, id, mode] with the type of an
// operation. The mode may be omitted. If dyn is set, id is an SSA value; otherwise it is
// a constant.
func parseBuf(p *ir.Parser, st *ir.OpParse, dyn bool) {
	bracket := p.Accept("[")
	st.Attr("op_type", p.AttrAs(pipeLike))
	p.Expect(",")
	if dyn {
		st.Operand("buf_id", p.Operand())
	} else {
		st.Attr("buf_id", p.TypedNumber(ir.I32))
	}
	if p.Accept(",") {
		st.Attr("mode", p.TypedNumber(ir.I32))
	}
	if bracket {
		p.Expect("]")
	}
	st.AttrDict(p)
}

// printBuf prints an instruction that acquires or releases a buffer token. If attribute
// op_type is a pipe, the syntax is "PIPE", id, mode. If it is an operation type, the
// syntax is [type, id, mode]. The number id identifies the token: it is an SSA value if
// dyn is set, and a constant otherwise. The number mode is the value of the attribute
// with this name.
func printBuf(w *ir.Printer, op *ir.Op, dyn bool) {
	kind := op.Attr("op_type")
	pipe := PipeEnum.CheckAttr(kind)
	if pipe {
		w.Text(kind.Keyword())
	} else {
		w.Token("[")
		w.Attr(kind)
	}
	w.Token(",")
	if dyn {
		w.Value(op.Operand(0))
	} else {
		w.Number(op.Attr("buf_id"))
	}
	w.Token(",")
	w.Number(op.Attr("mode"))
	if !pipe {
		w.Token("]")
	}
	w.AttrDict(op, "op_type", "buf_id", "mode")
}

// concretePipe returns a rule on attribute attr. The attribute must select a single pipe,
// either by its name or by a type of operation that the pipe executes. It must not be
// "all pipes" or a placeholder.
func concretePipe(attr string) Rule {
	return Check(func(op *ir.Op, _ ir.Target) string {
		switch sem.PipeNamed(op.Attr(attr)) {
		case sem.PipeAll, sem.NoPipe, 99:
			return "attribute \"" + attr + "\" must name one pipe, but is " + op.Attr(attr).String()
		}
		return ""
	})
}
