package isatest

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	_ "ptogo/dialect/all"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/frontend/cpp"
	"ptogo/frontend/llir"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
)

const kernelSection = cpp.KernelSection

// kernels are the kernels of a folder.
type kernels struct {
	arch string
	// modules contain the kernels that the front end reads.
	modules []*ir.Op
	// refused maps the names of the others to the reason.
	refused map[string]string
	loaded  map[string]*kernel.Program
}

// refusal is the panic value with which a test ends whose kernel cannot be read or run.
type refusal struct{ text string }

func (r *refusal) Error() string { return r.text }

// launchLimit limits the time of one launch.
const launchLimit = 60 * time.Second

// run launches a kernel on buffers and scalars of the host program.
func (k *kernels) run(h *host, f *llir.Function, args []value) {
	h.kernels = append(h.kernels, f.Symbol)
	p := k.load(f)
	end := time.Now().Add(launchLimit)
	plan, err := p.Plan(runtime.Options{Blocks: int(max(h.blocks, 1)), Stop: func() string {
		if time.Now().After(end) {
			return fmt.Sprintf("the kernel ran for more than %s", launchLimit)
		}
		return ""
	}})
	if err != nil {
		panic(&refusal{firstError(err)})
	}
	params := p.Params()
	if len(params) != len(args) {
		panic(&refusal{fmt.Sprintf("the kernel has %d parameters, and the host passes %d arguments", len(params), len(args))})
	}
	bound := make([]any, len(args))
	for i, a := range args {
		switch {
		case params[i].IsPointer() && a.obj == nil:
			bound[i] = runtime.Arg{Buf: &runtime.Buffer{Name: params[i].Name}}
		case params[i].IsPointer():
			bound[i] = runtime.Arg{Buf: &runtime.Buffer{Data: part(a, int64(len(a.obj.bytes))-a.n), Name: params[i].Name}}
		case f.Params[i].Type.Kind == llir.Float:
			bound[i] = a.f
		case f.Params[i].Type.Bits == 1:
			bound[i] = a.n != 0
		default:
			bound[i] = a.n
		}
	}
	if err := plan.Run(bound...); err != nil {
		panic(&refusal{"fault: " + firstError(err)})
	}
}

// load returns the program of a kernel.
func (k *kernels) load(f *llir.Function) *kernel.Program {
	if p := k.loaded[f.Symbol]; p != nil {
		return p
	}
	for _, name := range []string{f.Symbol, cpp.PlainName(f.Symbol)} {
		if reason, ok := k.refused[name]; ok {
			panic(&refusal{reason})
		}
	}
	var op *ir.Op
	attrs := "pto.target_arch = \"" + k.arch + "\""
	for _, m := range k.modules {
		if op != nil {
			break
		}
		if op = cpp.KernelNamed(m, f.Symbol); op != nil && m.HasAttr(pto.DeviceForms) {
			attrs += ", " + pto.DeviceForms
		}
	}
	if op == nil {
		panic(&refusal{"the front end returns no kernel " + f.Symbol})
	}
	var text bytes.Buffer
	text.WriteString("module attributes {" + attrs + "} {\n")
	if err := ir.Print(&text, op, ir.PrintOptions{Sequential: true}); err != nil {
		panic(&refusal{err.Error()})
	}
	text.WriteString("}\n")
	p, err := kernel.Load(&ir.Source{Name: fn.Name(op), Text: text.String()}, kernel.Options{Arch: k.arch})
	if err != nil {
		panic(&refusal{firstError(err)})
	}
	k.loaded[f.Symbol] = p
	return p
}

// firstError returns the first line of an error without its position.
func firstError(err error) string {
	var list ir.Errors
	if errors.As(err, &list) {
		for _, d := range list {
			if d.Severity == ir.Error {
				return d.Text
			}
		}
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return position.ReplaceAllString(line, "")
}

// position is a position in the text of a kernel, which differs between kernels.
var position = regexp.MustCompile(`^\S+:\d+:\d+: `)
