// Package files reads the input files of a tool and writes its output files. Console is what
// every tool has: its streams, its input, and its share of the process. An Output replaces a
// file only if the whole run succeeds.
package files

import (
	"cmp"
	"io"
	"iter"
	"os"
	"strings"

	"ptogo/frontend/cpp"
	"ptogo/internal/cli/limit"
	"ptogo/internal/cli/report"
	"ptogo/ir"
)

// Console is what all tools share: the streams and the diagnostics of the tool, the input
// that it reads, and its part of the memory of the process.
type Console struct {
	report.Streams
	input
}

// NewConsole returns the console of the tool with the given name.
func NewConsole(in io.Reader, out, err io.Writer, tool string) Console {
	return Console{report.New(out, err, tool), input{Share: limit.Share{MaxMemory: limit.MemoryOf(limit.DefaultMaxMemory)}, In: in}}
}

// input reads the programs of a tool.
type input struct {
	limit.Share
	In io.Reader
	// InName is the name of standard input in diagnostics, if it is not <stdin>.
	InName string
	// Cpp makes a source a C++ file if its name says so, or is nil for tools that do not
	// read C++.
	Cpp func(src *ir.Source)
}

// ReadSource reads a file, or standard input for "-".
func (s *input) ReadSource(path string) (*ir.Source, error) {
	if path == "-" {
		b, err := limit.ReadAll(s.In, s.TextLimit())
		err = s.ExplainLimit(err)
		return &ir.Source{Name: cmp.Or(s.InName, "<stdin>"), Text: strings.TrimPrefix(string(b), byteOrderMark)}, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	src := &ir.Source{Name: path}
	src.Text, src.Passed, err = readText(f, s.TextLimit())
	err = s.ExplainLimit(err)
	src.Text = strings.TrimPrefix(src.Text, byteOrderMark)
	if s.Cpp != nil && cpp.IsCpp(path) {
		s.Cpp(src)
	}
	return src, err
}

// MapSize is the file size in bytes from which files are memory-mapped instead of read.
// It is a variable so that BenchmarkHeap can measure the gain.
var MapSize = 1 << 20

// readText returns the text of a file without a second copy, because programs may be
// large. If the file is memory-mapped, the parser calls passed with the offset up to
// which it has read, so that the memory can be released.
func readText(f *os.File, most limit.Memory) (text string, passed func(off int), err error) {
	var b strings.Builder
	if st, err := f.Stat(); err == nil {
		if st.Size() > int64(most.Bytes) {
			return "", nil, limit.TooLarge(most)
		}
		size := int(st.Size())
		limit.ExpectText(size)
		if st.Mode().IsRegular() && size >= MapSize {
			if text, passed, ok := mapText(f, size); ok {
				return text, passed, nil
			}
		}
		b.Grow(size + 1)
	}
	n, err := io.Copy(&b, io.LimitReader(f, int64(most.Bytes)+1))
	if n > int64(most.Bytes) {
		err = limit.TooLarge(most)
	}
	return b.String(), nil, err
}

// byteOrderMark is the UTF-8 byte order mark, which is skipped at the start of a file.
const byteOrderMark = "\ufeff"

// DefaultMarker is the line that separates programs in one file.
const DefaultMarker = "// -----"

// Split divides a source into programs at the lines that start with marker. Positions
// in the programs refer to the whole file.
func Split(src *ir.Source, marker string) iter.Seq[*ir.Source] {
	return func(yield func(*ir.Source) bool) {
		if src.Program != nil { // the marker separates programs in the syntax of PTO IR
			yield(src)
			return
		}
		line0, start, line := 0, 0, 0
		text := src.Text
		for pos := 0; pos <= len(text); {
			end := strings.IndexByte(text[pos:], '\n')
			next := pos + end + 1
			if end < 0 {
				end, next = len(text)-pos, len(text)+1
			}
			line++
			if strings.HasPrefix(text[pos:pos+end], marker) {
				if !yield(piece(src, start, pos, line0)) {
					return
				}
				start, line0 = min(next, len(text)), line
			}
			pos = next
		}
		yield(piece(src, start, len(text), line0))
	}
}

// piece returns the bytes text[from:to] of the source src as a separate source. The
// parameter line0 is the number of lines before these bytes in the file, so that
// diagnostics contain the right line numbers.
func piece(src *ir.Source, from, to, line0 int) *ir.Source {
	p := &ir.Source{Name: src.Name, Text: src.Text[from:to], Line0: line0}
	if src.Passed != nil {
		p.Passed = func(off int) { src.Passed(from + off) }
	}
	return p
}
