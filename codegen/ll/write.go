// This file writes a module as text.

package ll

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	llir "github.com/llir/llvm/ir"
)

// Write writes the module as text, block by block. The library llir would build the text
// of a whole function three times in memory before it writes it, and functions may be
// large.
func (m *Module) Write(w io.Writer) error {
	if err := m.ir.AssignGlobalIDs(); err != nil {
		return err
	}
	if err := m.ir.AssignMetadataIDs(); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	head := &llir.Module{DataLayout: m.ir.DataLayout, TargetTriple: m.ir.TargetTriple, TypeDefs: m.ir.TypeDefs, Globals: m.ir.Globals}
	if _, err := head.WriteTo(out); err != nil {
		return err
	}
	for _, f := range m.ir.Funcs {
		out.WriteByte('\n')
		if err := writeFunction(out, f); err != nil {
			return err
		}
	}
	if len(m.ir.MetadataDefs) > 0 {
		out.WriteByte('\n')
	}
	for _, md := range m.ir.MetadataDefs {
		fmt.Fprintf(out, "%s = %s\n", md.Ident(), md.LLString())
	}
	return out.Flush()
}

// writeFunction writes the declaration or the definition of f, block by block. The
// library llir can print a function only as a whole, as one large string. Therefore
// writeFunction makes llir print only the header, as a declaration, and replaces its
// first word if f is a definition.
func writeFunction(out *bufio.Writer, f *llir.Func) error {
	if err := f.AssignIDs(); err != nil {
		return err
	}
	blocks := f.Blocks
	f.Blocks = nil
	header := f.LLString()
	f.Blocks = blocks
	if len(blocks) == 0 {
		_, err := fmt.Fprintln(out, header)
		return err
	}
	fmt.Fprintf(out, "define%s {\n", strings.TrimPrefix(header, "declare"))
	for i, b := range blocks {
		if i > 0 {
			out.WriteByte('\n')
		}
		out.WriteString(b.LLString())
		out.WriteByte('\n')
	}
	_, err := out.WriteString("}\n")
	return err
}
