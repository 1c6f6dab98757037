package jit

import (
	_ "embed"
	"fmt"
	"strings"

	"ptogo/codegen"
)

// Func describes a function of the code: its name, its symbol, and the C types
// of its parameters, without the two that number the blocks. A type that ends
// in * is a buffer.
type Func struct {
	Name   string
	Symbol string // empty means Name
	Params []string
}

// symbol is what the function is called in the code.
func (f *Func) symbol() string {
	if f.Symbol != "" {
		return f.Symbol
	}
	return f.Name
}

//go:embed driver.c.txt
var driverMain string

const driverHead = `#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#ifdef __APPLE__
#define PREFIX "_"
#else
#define PREFIX ""
#endif

typedef uint64_t word;
`

// driver is the C program around kernels, whose code keeps so many words about
// where it is.
func driver(fns []Func, words int) string {
	var b strings.Builder
	b.WriteString(driverHead)
	fmt.Fprintf(&b, "#define PLACE %s\n#define PLACE_WORDS %d\n", codegen.PlaceWords, words)
	for i, f := range fns {
		declare(&b, i, f)
	}
	b.WriteString("static const struct { void (*run)(word *, int64_t, int64_t); const char *params; } table[] = {\n")
	for i, f := range fns {
		kinds := ""
		for _, p := range f.Params {
			if isBuffer(p) {
				kinds += "p"
			} else {
				kinds += "s"
			}
		}
		fmt.Fprintf(&b, "\t{run%d, %q},\n", i, kinds)
	}
	b.WriteString("};\n\n")
	b.WriteString(driverMain)
	return b.String()
}

func isBuffer(param string) bool { return strings.HasSuffix(param, "*") }

// declare writes the prototype of a kernel and a function that calls it with
// parameters from an array.
func declare(b *strings.Builder, i int, f Func) {
	params := append(append([]string(nil), f.Params...), "int64_t", "int64_t")
	for k, p := range params {
		if isBuffer(p) {
			params[k] = "void *"
		}
	}
	fmt.Fprintf(b, "extern void f%d(%s) __asm__(PREFIX %q);\n", i, strings.Join(params, ", "), f.symbol())
	fmt.Fprintf(b, "static void run%d(word *a, int64_t i, int64_t n) {\n\t(void)a;\n", i)
	var args []string
	for k, p := range params[:len(f.Params)] {
		fmt.Fprintf(b, "\t%s a%d; memcpy(&a%d, a + %d, sizeof a%d);\n", p, k, k, k, k)
		args = append(args, fmt.Sprintf("a%d", k))
	}
	fmt.Fprintf(b, "\tf%d(%s);\n}\n", i, strings.Join(append(args, "i", "n"), ", "))
}
