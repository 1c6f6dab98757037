// This file writes the C program that runs compiled kernels in a separate process.

package jit

import (
	_ "embed"
	"fmt"
	"math"
	"runtime"
	"strings"

	"ptogo/codegen/ll"
	"ptogo/codegen/llvm"
)

// Func describes a kernel in the compiled code: its name, its symbol, and the C types of
// its parameters. The compiled function has two more parameters, which contain the number
// of the block and the number of blocks; Params omits them. A parameter whose type ends
// with * is a buffer.
type Func struct {
	Name   string
	Symbol string // empty means Name
	Params []string
}

// symbol returns the symbol of the kernel in the LLVM IR: Symbol, or Name if Symbol is
// empty.
func (f *Func) symbol() string {
	if f.Symbol != "" {
		return f.Symbol
	}
	return f.Name
}

// driverText is the C source of the driver, the program that surrounds the kernels and
// launches them. The function driver adds the definitions of constants.
//
//go:embed driver.c.txt
var driverText string

// lazyBytes is the size in bytes above which a buffer is sent to the kernel process in
// chunks. A chunk is sent only when a kernel first accesses it, so that the cost of a
// launch depends on what it accesses. Smaller buffers are sent completely before the
// launch, because requesting chunks would need more time.
var lazyBytes = lazyFrom(runtime.GOOS)

// lazyFrom returns the size in bytes above which a buffer is sent in chunks, for the
// given operating system. Blocks can run on several threads, which requires that a chunk
// is mapped atomically. Only Linux supports this; on other systems the size is unlimited,
// and all buffers are sent completely.
func lazyFrom(system string) int {
	if system == "linux" {
		return 1 << 20
	}
	return math.MaxInt
}

// driver returns the C source of the program that surrounds the kernels. It is the same
// for all kernels, so it is compiled only once; compiling it takes longer than compiling
// a short kernel.
func driver() string {
	defines := fmt.Sprintf("#define PLACE %s\n#define PLACE_WORDS %d\n#define LAZY %d\n", llvm.PlaceWords, llvm.MostPlaceWords, lazyBytes)
	defines += fmt.Sprintf("#define MEMORIES \"%s\"\n#define ATTACH \"%s\"\n#define BUFFERS %s\n#define BEYOND %dull\n#define NOWHERE %dull\n",
		ll.FenceMemories, ll.FenceAttach, ll.FenceBuffers, ll.FenceGuard, ll.NowhereAddress)
	return defines + driverText
}

// llvmTypes maps the C types of parameters to LLVM types.
var llvmTypes = map[string]string{
	"_Bool": "i1", "uint8_t": "i8", "int8_t": "i8", "uint16_t": "i16", "int16_t": "i16",
	"int32_t": "i32", "uint32_t": "i32", "int64_t": "i64", "uint64_t": "i64", "float": "float", "double": "double",
}

// llvmType returns the LLVM type of a parameter with the C type param.
func llvmType(param string) string {
	if isBuffer(param) {
		return "ptr"
	}
	return llvmTypes[param]
}

// isBuffer reports whether a kernel parameter is a buffer, that is, a pointer. The
// argument param is the C type of the parameter.
func isBuffer(param string) bool { return strings.HasSuffix(param, "*") }

// table returns LLVM IR to append to the kernels: the table in which the driver finds
// them by number.
func table(fns []Func) string {
	var b, entries strings.Builder
	for i, f := range fns {
		kinds := make([]byte, len(f.Params))
		for k, p := range f.Params {
			kinds[k] = 's'
			if isBuffer(p) {
				kinds[k] = 'p'
			}
		}
		fmt.Fprintf(&b, "\n@pto_params_%d = private constant [%d x i8] c\"%s\\00\"\n", i, len(kinds)+1, kinds)
		call(&b, i, f)
		if i > 0 {
			entries.WriteString(", ")
		}
		fmt.Fprintf(&entries, "{ ptr, ptr } { ptr @pto_run_%d, ptr @pto_params_%d }", i, i)
	}
	fmt.Fprintf(&b, "\n@pto_table = constant [%d x { ptr, ptr }] [%s]\n", len(fns), entries.String())
	return b.String()
}

// call writes the LLVM IR of a function that calls the kernel with index i with
// parameters from an array of 64-bit words. LLVM does not inline the kernel into this
// function, because it would then compile a second copy of the kernel.
func call(b *strings.Builder, i int, f Func) {
	fmt.Fprintf(b, "define internal void @pto_run_%d(ptr %%words, i64 %%block, i64 %%blocks) {\n", i)
	var args strings.Builder
	for k, p := range f.Params {
		fmt.Fprintf(b, "  %%at%d = getelementptr i64, ptr %%words, i64 %d\n  %%x%d = load %s, ptr %%at%d\n", k, k, k, llvmType(p), k)
		fmt.Fprintf(&args, "%s %%x%d, ", llvmType(p), k)
	}
	fmt.Fprintf(b, "  call void @%s(%si64 %%block, i64 %%blocks) noinline\n  ret void\n}\n", quoted(f.symbol()), args.String())
}

// quoted returns a symbol in the syntax of LLVM IR.
func quoted(symbol string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range []byte(symbol) {
		if c < ' ' || c > '~' || c == '"' || c == '\\' {
			fmt.Fprintf(&b, "\\%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
