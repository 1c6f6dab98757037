package llvmtest

import (
	"fmt"
	"strings"
)

// Func describes a function to the driver: its name and the C types of its
// parameters, without the two that number the blocks. A type that ends in *
// is a buffer.
type Func struct {
	Name   string
	Params []string
}

// driver is the C program around kernels. A request is a sequence of 64-bit
// words: the number of the function, the number of blocks, and for each
// parameter its bits or, for a buffer, its size and then its bytes, padded to
// words. The answer is all buffers.
func driver(fns []Func) string {
	var b strings.Builder
	b.WriteString(`#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t word;
`)
	for i, f := range fns {
		declare(&b, i, f)
	}
	b.WriteString("static const struct { void (*run)(word *, int64_t, int64_t); const char *params; } table[] = {\n")
	for i, f := range fns {
		kinds := ""
		for _, p := range f.Params {
			if strings.HasSuffix(p, "*") {
				kinds += "p"
			} else {
				kinds += "s"
			}
		}
		fmt.Fprintf(&b, "\t{run%d, %q},\n", i, kinds)
	}
	b.WriteString("};\n")
	b.WriteString(driverMain)
	return b.String()
}

// declare writes the prototype of a kernel and a function that calls it with
// parameters from an array.
func declare(b *strings.Builder, i int, f Func) {
	params := append(append([]string(nil), f.Params...), "int64_t", "int64_t")
	for k, p := range params {
		if strings.HasSuffix(p, "*") {
			params[k] = "void *"
		}
	}
	fmt.Fprintf(b, "extern void f%d(%s) __asm__(%q);\n", i, strings.Join(params, ", "), f.Name)
	fmt.Fprintf(b, "static void run%d(word *a, int64_t i, int64_t n) {\n", i)
	var args []string
	for k, p := range params[:len(f.Params)] {
		fmt.Fprintf(b, "\t%s a%d; memcpy(&a%d, a + %d, sizeof a%d);\n", p, k, k, k, k)
		args = append(args, fmt.Sprintf("a%d", k))
	}
	fmt.Fprintf(b, "\tf%d(%s);\n}\n", i, strings.Join(append(args, "i", "n"), ", "))
}

const driverMain = `
struct block { int fn; word *args; int64_t i, n; };

static void *launch(void *p) {
	struct block *b = p;
	table[b->fn].run(b->args, b->i, b->n);
	return 0;
}

static word get(void) {
	word w;
	if (fread(&w, sizeof w, 1, stdin) != 1) exit(0);
	return w;
}

int main(void) {
	for (;;) {
		struct block b;
		b.fn = (int)get();
		b.n = (int64_t)get();
		const char *params = table[b.fn].params;
		size_t n = strlen(params);
		word *args = calloc(n + 1, sizeof *args), *sizes = calloc(n + 1, sizeof *sizes);
		b.args = args;
		for (size_t k = 0; k < n; k++) {
			args[k] = get();
			if (params[k] == 's') continue;
			sizes[k] = args[k];
			size_t padded = (sizes[k] + 7) / 8 * 8;
			void *buf = aligned_alloc(512, (padded + 1023) / 512 * 512);
			if (padded && fread(buf, 1, padded, stdin) != padded) exit(3);
			args[k] = (word)(uintptr_t)buf;
		}
		for (b.i = 0; b.i < b.n; b.i++) {
			pthread_t t;
			if (pthread_create(&t, 0, launch, &b)) exit(4);
			pthread_join(t, 0);
		}
		for (size_t k = 0; k < n; k++) {
			if (params[k] == 's') continue;
			fwrite((void *)(uintptr_t)args[k], 1, sizes[k], stdout);
			free((void *)(uintptr_t)args[k]);
		}
		free(args);
		free(sizes);
		fflush(stdout);
	}
}
`
