// This file answers requests for LLVM IR, C++ and PTO-AS.

package playground

import (
	"bytes"
	"fmt"

	"ptogo/codegen/cpp"
	"ptogo/codegen/llvm"
	"ptogo/internal/inspect"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/lower/ptoas"
)

// emitRequest holds the parameters of the request "emit" of the web page.
type emitRequest struct {
	Program
	// Form is the output format: llvm, cpp or pto-as.
	Form string `json:"form"`
}

// EmitAnswer is the response to the request "emit" of the web page.
type EmitAnswer struct {
	Diagnostics []Diagnostic `json:"diagnostics"`
	Text        string       `json:"text"`
}

// emit responds to the request "emit" of the web page: it translates the program to LLVM
// IR, C++ or PTO-AS.
func emit(r *emitRequest, _ Files) (any, Files, error) {
	if len(r.Text) > MaxText {
		return nil, nil, fmt.Errorf("the text is larger than %d MiB", MaxText>>20)
	}
	write := emitters[r.Form]
	if write == nil {
		return nil, nil, fmt.Errorf("unknown format '%s': expected llvm, cpp or pto-as", r.Form)
	}
	src := r.source()
	read := inspect.Read(src, r.Target, nil)
	var diags ir.Diags
	a := &EmitAnswer{}
	if read.OK {
		var out bytes.Buffer
		if write(&out, read.Module, &diags) {
			a.Text = out.String()
		}
	}
	a.Diagnostics = diagnostics(src, append(read.Diags, diags.All()...))
	return a, nil, nil
}

// emitters maps each output format to the function that writes a program in it, as
// pto-opt --emit does.
var emitters = map[string]func(w *bytes.Buffer, module *ir.Op, diags *ir.Diags) bool{
	"pto-as": func(w *bytes.Buffer, module *ir.Op, diags *ir.Diags) bool { return ptoas.WriteAS(w, module, diags) },
	"llvm": func(w *bytes.Buffer, module *ir.Op, diags *ir.Diags) bool {
		target, features := ir.TargetOf(module), inspect.Features(module)
		return kernel.Lower(module, target, features, diags) && llvm.Emit(w, module, llvm.Options{Target: target}, diags)
	},
	"cpp": func(w *bytes.Buffer, module *ir.Op, diags *ir.Diags) bool {
		ok := runPipeline(devicePasses(), module, inspect.Features(module), diags)
		return ok && cpp.Emit(w, module, cpp.Options{Target: ir.TargetOf(module)}, diags)
	},
}
