// This file is the entry point of the package.

package cpp

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/frontend/llir"
	"ptogo/internal/pattern"
	"ptogo/ir"
)

// Options configures Read.
type Options struct {
	// Compiler is the path of clang++, or "" for the one that PTO_CPP_COMPILER names or
	// that is on the path.
	Compiler string
	// Include and Define are values of the compiler's options -I and -D.
	Include, Define []string
	// Kernel selects the kernel that must convert, by its name in C++ or in the object
	// file, or two kernels with a comma between them. If it is empty, Read reports every
	// kernel that it cannot convert.
	Kernel string
	// Target is the hardware profile; 0 means A3.
	Target ir.Target
}

// extensions are the endings of the names of C++ files.
var extensions = []string{".cpp", ".cc", ".cxx", ".cce", ".hpp"}

// IsCpp reports whether the name is that of a C++ file.
func IsCpp(name string) bool { return slices.Contains(extensions, filepath.Ext(name)) }

// Read compiles the C++ file src and returns its kernels as a module. Operations have the
// positions of the C++ text. A kernel is converted wholly or not at all. If kernels cannot
// be converted, diags contains an error for each, or a warning if another kernel can; with
// Options.Kernel only that kernel matters. Read returns nil after an error.
func Read(src *ir.Source, o Options, diags *ir.Diags) *ir.Op {
	if o.Target == 0 {
		o.Target = sem.A3
	}
	r := &reader{src: src, o: o, diags: diags, sources: map[string]*ir.Source{src.Name: src}, variants: map[variant]*llir.Module{}}
	if full, err := filepath.Abs(src.Name); err == nil {
		r.sources[full] = src
	}
	key := programKey(src, o)
	if p := cachedProgram(key); p != nil {
		return r.finish(p)
	}
	m, ok := r.kernels()
	if !ok {
		return nil
	}
	if len(m.Functions) == 0 {
		d := diags.Error(ir.LocAt(src, 0), "the C++ file has no kernels")
		if hasMain().MatchString(src.Text) {
			d.Note(ir.Loc{}, "the file is a program of the host, such as one for the CPU simulator of the library: move the instructions on tiles to a function with __global__ that has the arrays as parameters")
		}
		d.Note(ir.Loc{}, "a kernel is a function with __global__, or a function that other files can call; a template is a kernel if the file launches or instantiates it")
		return nil
	}
	p := r.program(m)
	if p == nil {
		return nil
	}
	rememberProgram(key, r.stamps, p)
	return r.finish(p)
}

// KernelSection is the section of the object file that contains the kernels.
const KernelSection = "pto_kernel"

// Compile compiles a C++ file as Read does and returns all functions, also those of the
// host. A launch of a kernel in them is a call of ptogo_launch with the number of blocks,
// and a call of the kernel.
func Compile(src *ir.Source, o Options) (*llir.Module, error) {
	text, _, err := compile(src, o, variant{})
	if err != nil {
		return nil, err
	}
	return llir.Read(text, llir.AllSections)
}

// KernelNamed returns the kernel with the given name in the object file from a module that
// Read returned, or nil.
func KernelNamed(module *ir.Op, symbol string) *ir.Op {
	for _, name := range []string{symbol, PlainName(symbol)} {
		for _, f := range fn.Functions(module) {
			if fn.Name(f) == name {
				return f
			}
		}
	}
	return nil
}

// reader is the state of reading one file.
type reader struct {
	src   *ir.Source
	o     Options
	diags *ir.Diags
	// sources are the files of the user by the names in debug information; nil for those
	// that cannot be read.
	sources map[string]*ir.Source
	// variants are the modules of the variants that kernels need.
	variants map[variant]*llir.Module
	// divides are the types of cores for which the file is compiled if it has code for one
	// type alone.
	divides []coreType
	// auto selects the variants whose tiles need no addresses. unplaced and placed are the
	// places of tiles of the kernel without an address, and with one, or nil.
	auto             bool
	unplaced, placed *unsupported
	// stamps are the stamps of the files that the file includes.
	stamps string
}

// kernels returns a module with the kernels of the file. It reports errors of the compiler.
func (r *reader) kernels() (*llir.Module, bool) {
	core, chosen := r.o.chosen()
	if chosen || dividesCores(r.src.Text) {
		cores := []coreType{core}
		if !chosen {
			cores = coresOf(r.src.Text)
		}
		if m := r.compileCores(cores); m != nil {
			r.divides = cores
			return m, true
		}
	}
	m, ok := r.compiled(variant{})
	r.variants[variant{}] = m
	if ok && !dividesCores(r.src.Text) && includesDivided(r.stamps) && r.compileCores(coreTypes) != nil {
		r.divides = coreTypes
	}
	return m, ok
}

// compiled returns the LLVM IR of the file. It reports errors of the compiler.
func (r *reader) compiled(way variant) (*llir.Module, bool) {
	text, stamps, err := compile(r.src, r.o, way)
	if r.stamps == "" {
		r.stamps = stamps
	}
	var refused *compileError
	switch {
	case errors.As(err, &refused):
		r.compilerErrors(refused.text)
		return nil, false
	case err != nil:
		r.diags.Error(ir.LocAt(r.src, 0), err.Error())
		return nil, false
	}
	m, err := markedKernels(text)
	if err == nil && len(m.Functions) == 0 {
		m, err = r.unmarked(text)
	}
	if err != nil {
		r.diags.Error(ir.LocAt(r.src, 0), "the LLVM IR of the file cannot be read: "+err.Error())
		return nil, false
	}
	return m, true
}

// markedKernels reads the functions with __global__.
func markedKernels(text string) (*llir.Module, error) { return llir.Read(text, KernelSection) }

// unmarked reads the kernels of a file without __global__: frontends compile kernels as
// functions, and add the launched functions that call them later. A kernel is a function
// in the file itself that other files can call, without a result, whose parameters are
// pointers and numbers.
func (r *reader) unmarked(text string) (*llir.Module, error) {
	m, err := llir.Read(text, llir.AllSections)
	if err != nil {
		return nil, err
	}
	m.Functions = slices.DeleteFunc(m.Functions, func(f *llir.Function) bool {
		return !f.Public || !f.Void || r.sources[f.Frame.File] != r.src
	})
	return m, nil
}

var hasMain = pattern.Of(`(?m)^\s*int\s+main\s*\(`)

var compilerLine = pattern.Of(`(?m)^(.+?):(\d+):(\d+): (?:fatal )?(error|warning|note): (.*)$`)

var unknownName = pattern.Of(`(?:undeclared identifier|no member named|unknown type name|no template named|no matching function for call to) '([A-Za-z_0-9]+)'`)

// compilerErrors reports the errors in the output of the compiler.
func (r *reader) compilerErrors(text string) {
	found := false
	for _, l := range strings.Split(text, "\n") {
		m := compilerLine().FindStringSubmatch(l)
		if m == nil || m[4] != "error" {
			continue
		}
		line, _ := strconv.Atoi(m[2])
		col, _ := strconv.Atoi(m[3])
		d := r.diags.Error(r.loc(llir.Frame{File: m[1], Line: line, Col: col}), "the C++ does not compile against the API that ptogo declares: "+m[5])
		if name := unknownName().FindStringSubmatch(m[5]); name != nil {
			if near := nearest(name[1]); near != "" {
				d.Note(ir.Loc{}, "the nearest name that ptogo reads is "+near)
			}
		}
		if strings.HasPrefix(m[5], "'pto/") && strings.Contains(m[5], "file not found") {
			d.Note(ir.Loc{}, "ptogo has declarations of its own for the tile library, and none for this header: remove what needs the header, or state the folder of a header of yours with -I")
		}
		if strings.Contains(m[5], "AscendC") {
			d.Note(ir.Loc{}, "ptogo reads kernels that call the PTO tile library; AscendC is another language, which it does not read")
		}
		found = true
	}
	if !found {
		r.diags.Error(ir.LocAt(r.src, 0), "the C++ compiler failed: "+strings.TrimSpace(ir.Visible(text)))
	}
}

// nearest returns the name of a library function that resembles the given one, or "".
func nearest(name string) string {
	best, bestCost := "", 3
	for _, n := range append(instructionNames(), ownNames...) {
		if c := distance(name, n, bestCost); c < bestCost && n != name {
			best, bestCost = n, c
		}
	}
	return best
}

// distance returns the number of characters to insert, remove or replace between two
// names, if it is below limit.
func distance(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	row := make([]int, len(b)+1)
	for k := range row {
		row[k] = k
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for k := range len(b) {
			cost := diagonal
			if a[i] != b[k] {
				cost++
			}
			diagonal = row[k+1]
			row[k+1] = min(cost, row[k]+1, row[k+1]+1)
		}
	}
	return row[len(b)]
}

// loc returns the location of a position in a file of the user.
func (r *reader) loc(f llir.Frame) ir.Loc {
	src, known := r.sources[f.File]
	if !known {
		if text, err := os.ReadFile(f.File); err == nil && isUserFile(f.File) {
			src = &ir.Source{Name: f.File, Text: string(text)}
		}
		r.sources[f.File] = src
	}
	if src == nil {
		return ir.LocAt(r.src, 0)
	}
	return ir.LocAt(src, src.Offset(f.Line, f.Col))
}

// program converts the kernels of a module. After an error it returns nil.
func (r *reader) program(m *llir.Module) *program {
	places := &placeTable{of: map[llir.Frame]int{}}
	p := &program{}
	var failed []*unsupported
	var names []string
	plainNames(m)
	for _, k := range m.Functions {
		if r.o.Kernel != "" && !slices.ContainsFunc(strings.Split(r.o.Kernel, ","), func(name string) bool { return sameName(k, name) }) {
			continue
		}
		c, err := r.converted(k, places)
		if err == nil {
			err = r.illegal(p, c.text, places)
		}
		if err != nil {
			failed, names = append(failed, err), append(names, k.Name)
			continue
		}
		p.Functions += c.text
		for _, w := range c.warnings {
			if !slices.ContainsFunc(p.Warnings, func(o warning) bool { return o.At == w.at && o.Text == w.text }) {
				p.Warnings = append(p.Warnings, warning{At: w.at, Text: w.text})
			}
		}
	}
	p.Places = places.list
	for i, f := range failed {
		w := warning{At: f.at, Text: "kernel '" + names[i] + "' cannot be read: " + f.text}
		if f.note != "" {
			w.Notes = append(w.Notes, f.note)
		}
		if p.Functions == "" {
			r.report(ir.Error, w)
			continue
		}
		w.Notes = append(w.Notes, "the other kernels of the file are available")
		p.Warnings = append(p.Warnings, w)
	}
	if p.Functions != "" {
		return p
	}
	if len(failed) == 0 {
		r.unknownKernel(m)
	}
	return nil
}

// report adds a diagnostic.
func (r *reader) report(severity ir.Severity, w warning) {
	d := r.diags.Add(severity, r.loc(w.At), w.Text)
	for _, n := range w.Notes {
		d.Note(ir.Loc{}, n)
	}
}

// finish reports the warnings of a program and returns its module, whose operations
// receive the positions in the C++ text.
func (r *reader) finish(p *program) *ir.Op {
	for _, w := range p.Warnings {
		r.report(ir.Warning, w)
	}
	module, _ := ir.Parse(r.wrapped(p.Functions, p.DeviceForms), ir.ParseOptions{}, r.diags)
	if module == nil {
		return nil
	}
	for op := range module.Walk() {
		op.SetLoc(r.loc(r.frameOf(op.Loc(), p.Places)))
	}
	return module
}

// unknownKernel reports that no kernel has the name that the user gave.
func (r *reader) unknownKernel(m *llir.Module) {
	var names []string
	for _, k := range m.Functions {
		names = append(names, k.Name)
	}
	r.diags.Error(ir.LocAt(r.src, 0), "the C++ file has no kernel '"+r.o.Kernel+"'").Note(ir.Loc{}, "its kernels are "+strings.Join(names, ", "))
}

// plainNames gives each kernel its name in C++ if no other kernel has that name.
func plainNames(m *llir.Module) {
	count := map[string]int{}
	for _, k := range m.Functions {
		count[PlainName(k.Symbol)]++
	}
	for _, k := range m.Functions {
		if n := PlainName(k.Symbol); count[n] == 1 {
			k.Name = n
		}
	}
}

// PlainName returns the name in C++ of a function outside of namespaces, without its
// template arguments, for its name in the object file.
func PlainName(symbol string) string {
	rest, ok := strings.CutPrefix(symbol, "_Z")
	digits := 0
	for digits < len(rest) && '0' <= rest[digits] && rest[digits] <= '9' {
		digits++
	}
	if n, err := strconv.Atoi(rest[:digits]); ok && err == nil && digits+n <= len(rest) {
		return rest[digits : digits+n]
	}
	return symbol
}

// sameName reports whether the kernel has the given name in C++ or in the object file.
func sameName(k *llir.Function, name string) bool {
	return k.Name == name || k.Symbol == name || PlainName(k.Symbol) == name
}

// wrapped returns the text of a module with the given functions, and with the attribute
// pto.DeviceForms if deviceForms is set.
func (r *reader) wrapped(functions string, deviceForms bool) *ir.Source {
	attrs := "pto.target_arch = \"" + sem.ProfileName(r.o.Target) + "\""
	if deviceForms {
		attrs += ", " + pto.DeviceForms
	}
	return &ir.Source{Name: r.src.Name + " (converted)", Text: "module attributes {" + attrs + "} {\n" + functions + "}\n"}
}

// illegal returns an error if the converted kernel of the program p is not legal, and nil if
// it is. A kernel that is legal only with pto.DeviceForms lets p need this attribute.
func (r *reader) illegal(p *program, function string, places *placeTable) *unsupported {
	why := r.firstError(function, p.DeviceForms, places)
	if why == nil || p.DeviceForms || r.firstError(function, true, places) != nil {
		return why
	}
	p.DeviceForms = true
	return nil
}

// firstError returns the first error of the verifier about the converted kernel, or nil.
func (r *reader) firstError(function string, deviceForms bool, places *placeTable) *unsupported {
	var problems ir.Diags
	module, _ := ir.Parse(r.wrapped(function, deviceForms), ir.ParseOptions{}, &problems)
	if module != nil {
		ir.Verify(module, ir.VerifyOptions{Target: r.o.Target, Features: pto.LooseScratch}, &problems)
	}
	for _, d := range problems.All() {
		if d.Severity == ir.Error {
			return &unsupported{at: r.frameOf(d.Loc, places.list), text: d.Text, note: "the C++ stands for an instruction that is not legal on " + sem.ProfileName(r.o.Target)}
		}
	}
	return nil
}

var placeLine = pattern.Of(`loc\("place":(\d+):1\)`)

// frameOf returns the position in the C++ text of an operation in the converted text, or
// the start of the file.
func (r *reader) frameOf(l ir.Loc, places []llir.Frame) llir.Frame {
	text := ""
	if o := l.Origins(); len(o) > 0 {
		text = "loc(\"" + strings.Replace(o[0], ":", "\":", 1) + ")"
	} else if src, off := l.Source(); src != nil {
		text = src.Line(off)
	}
	if m := placeLine().FindStringSubmatch(text); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil && n < len(places) {
			return places[n]
		}
	}
	return llir.Frame{File: r.src.Name, Line: 1, Col: 1}
}
