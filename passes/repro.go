// This file writes and reads reproducers of pass failures.

package passes

import (
	"bytes"
	"strconv"
	"strings"

	"ptogo/ir"
)

// reproducer returns the text of a file that repeats the failure of a pass: the
// diagnostics as comments, the input and the pipeline. The metadata has the format
// that MLIR's tools read.
func reproducer(input []byte, pipeline string, diags *ir.Diags, stack string) []byte {
	var b bytes.Buffer
	for _, d := range diags.All() {
		comment(&b, d.Severity.String()+": "+d.Text)
	}
	comment(&b, stack)
	b.Write(input)
	b.WriteString("\n{-#\n  external_resources: {\n    mlir_reproducer: {\n      pipeline: ")
	b.Write(ir.AppendQuoted(nil, pipeline))
	b.WriteString(",\n      disable_threading: true,\n      verify_each: true\n    }\n  }\n#-}\n")
	return b.Bytes()
}

// comment writes text as comment lines.
func comment(b *bytes.Buffer, text string) {
	for line := range strings.Lines(text) {
		b.WriteString("// " + strings.TrimSuffix(line, "\n") + "\n")
	}
}

// ReproducerPipeline returns the pipeline in the metadata of a reproducer, and
// false if the text is not one.
func ReproducerPipeline(text string) (string, bool) {
	_, meta, _ := strings.Cut(text, "mlir_reproducer")
	_, meta, _ = strings.Cut(meta, "pipeline:")
	_, meta, _ = strings.Cut(meta, `"`)
	pipeline, _, ok := strings.Cut(meta, `"`)
	return unescape(pipeline), ok
}

// unescape is the inverse of ir.AppendQuoted, without the quotes.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s) && s[i+1] == '\\':
			b.WriteByte('\\')
			i++
		case s[i] == '\\' && i+2 < len(s):
			if n, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(n))
				i += 2
				continue
			}
			b.WriteByte(s[i])
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}
