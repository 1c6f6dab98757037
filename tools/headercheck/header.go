package headercheck

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// variable is the environment variable that names the checkout of pto-isa.
const variable = "PTO_ISA"

// errNone reports that the checkout or a compiler is missing.
var errNone = errors.New("no headers: set " + variable + " to a checkout of pto-isa, and install clang++ 19")

// host contains the file device.hpp. It declares the functions and types of the vendor's
// compiler that the NPU headers of the library pto-isa use. With it, clang can compile
// these headers without the vendor's compiler.
//
//go:embed host
var host embed.FS

// Headers determines which calls the NPU headers in a checkout of pto-isa accept, by
// compiling them.
type Headers struct {
	clang, root, dir string
}

// NewHeaders compiles the headers of pto-isa, the public library, for both targets into
// the directory dir. It returns errNone if the environment variable for the checkout of
// pto-isa is not set, or if no compiler is found.
func NewHeaders(dir string) (*Headers, error) {
	h := &Headers{root: os.Getenv(variable), dir: dir}
	for _, name := range []string{"clang++-19", "clang++-20", "clang++-21", "clang++"} {
		if path, err := exec.LookPath(name); err == nil && h.clang == "" {
			h.clang = path
		}
	}
	if h.root == "" || h.clang == "" {
		return nil, errNone
	}
	if _, err := os.Stat(filepath.Join(h.root, "include/pto/pto-inst.hpp")); err != nil {
		return nil, fmt.Errorf("the environment variable %s must name a checkout of pto-isa: %w", variable, err)
	}
	files, err := fs.Sub(host, "host")
	if err == nil {
		err = os.CopyFS(dir, files)
	}
	for _, t := range []ir.Target{sem.A3, sem.A5} {
		if err != nil {
			return nil, err
		}
		var messages string
		if messages, err = h.run(t, "-x", "c++-header", filepath.Join(dir, "device.hpp"), "-o", h.compiled(t)); err != nil {
			err = fmt.Errorf("the headers of %s do not compile: %w\n%.3000s", sem.ProfileName(t), err, messages)
		}
	}
	return h, err
}

// compiled returns the path of the precompiled headers for a target.
func (h *Headers) compiled(t ir.Target) string {
	return filepath.Join(h.dir, sem.ProfileName(t)+".pch")
}

// architectures maps a target to the number by which the NPU headers of the library
// pto-isa identify the chip.
var architectures = map[ir.Target]string{sem.A3: "2201", sem.A5: "3510"}

const compileLimit = 10 * time.Minute

// run calls the compiler for the target t and returns its messages. The parameter more
// contains further command-line arguments.
func (h *Headers) run(t ir.Target, more ...string) (messages string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), compileLimit)
	defer cancel()
	args := []string{
		"-std=c++17", "-w", "-ferror-limit=0", "-ftemplate-backtrace-limit=0", "-fno-caret-diagnostics",
		"-D__NPU_ARCH__=" + architectures[t], "-I" + filepath.Join(h.root, "include"),
	}
	cmd := exec.CommandContext(ctx, h.clang, append(args, more...)...)
	var out bytes.Buffer
	cmd.Stderr = &out
	err = cmd.Run()
	return out.String(), err
}

// Refusal is the reason why the headers reject a call of an instruction: Text is the
// message of a static assertion, and At is its location, a path in the checkout with a
// line.
type Refusal struct{ At, Text string }

// batch is the number of calls (tuples) whose C++ is compiled together.
const batch = 400

// Ask compiles C++ functions for target t. Each function contains one call of an
// instruction. Ask returns the reasons why the headers reject calls, by index of the
// function. It skips functions whose text is empty.
//
// The compiler reports a failed static assertion only once for each template instance,
// although several calls may use the instance. Ask therefore removes the rejected
// functions and compiles the remaining ones, until no errors exist.
func (h *Headers) Ask(t ir.Target, functions []string) (map[int]Refusal, error) {
	refused := map[int]Refusal{}
	for from := 0; from < len(functions); from += batch {
		to := min(from+batch, len(functions))
		for {
			found, err := h.askOnce(t, functions, from, to, refused)
			if err != nil {
				return nil, err
			}
			if !found {
				break
			}
		}
	}
	return refused, nil
}

func (h *Headers) askOnce(t ir.Target, functions []string, from, to int, refused map[int]Refusal) (found bool, err error) {
	var b strings.Builder
	b.WriteString("using namespace pto;\n")
	for i := from; i < to; i++ {
		if _, known := refused[i]; !known && functions[i] != "" {
			fmt.Fprintf(&b, "namespace t%d {\n#line %d \"tuple\"\n%s\n}\n", i, i, functions[i])
		}
	}
	file := filepath.Join(h.dir, "tuples.cpp")
	if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
		return false, err
	}
	messages, err := h.run(t, "-include-pch", h.compiled(t), "-fsyntax-only", file)
	if err == nil {
		return false, nil
	}
	if found, err = h.blame(messages, refused); err == nil && !found {
		err = fmt.Errorf("the generated calls of library functions do not compile, and the compiler names none of them:\n%.3000s", messages)
	}
	return found, err
}

var (
	errorLine = regexp.MustCompile(`^(.*?):(\d+):\d+: error: (.*)$`)
	tupleLine = regexp.MustCompile(`^(?:In file included from )?tuple:(\d+)`)
	verdicts  = regexp.MustCompile(`^static assertion failed|^no matching function for call to|^use of undeclared identifier 'T[A-Z_]+'`)
	missing   = regexp.MustCompile(`undeclared identifier '(\w+)'`)
)

// blame finds the calls that the compiler rejected. messages is the output of the
// compiler. For each rejected call, blame adds a refusal to the map refused; the key is
// the index of the function that contains the call. A message can name several functions,
// also in its notes; it concerns the first one. The result found reports whether blame
// added a refusal. If a message does not come from a check in the headers, the file
// device.hpp lacks a declaration, and blame returns an error.
func (h *Headers) blame(messages string, refused map[int]Refusal) (found bool, err error) {
	var at, text string
	for line := range strings.Lines(messages) {
		if m := errorLine.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			at, text = strings.TrimPrefix(m[1], filepath.Join(h.root, "include")+"/")+":"+m[2], strings.TrimSpace(m[3])
		}
		m := tupleLine.FindStringSubmatch(line)
		if m == nil || text == "" {
			continue
		}
		n, _ := strconv.Atoi(m[1])
		if _, known := refused[n]; !known {
			if verdicts.MatchString(text) {
				refused[n] = Refusal{at, text}
				found = true
			} else if err == nil {
				err = fmt.Errorf("device.hpp lacks a definition: %s: %s, and %v", at, text, lacks(messages))
			}
		}
		text = ""
	}
	if found {
		err = nil
	}
	return found, err
}

// lacks returns the names that the headers use but that the file device.hpp does not
// declare yet. It finds them in the messages of the compiler.
func lacks(messages string) []string {
	var names []string
	for _, m := range missing.FindAllStringSubmatch(messages, -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	return slices.Compact(names)
}
