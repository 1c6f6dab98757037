// This file writes and reads reproducers of pass failures.

package passes

import (
	"bytes"
	"strconv"
	"strings"

	"ptogo/ir"
)

// reproducer returns the text of a file that reproduces the failure of a pass. It
// contains the diagnostics and the stack as comments, the input program, and the pipeline
// as metadata in the format of MLIR's tools.
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

// ReproducerPipeline returns the pipeline in the metadata of a reproducer. The second
// result is false if text is not a reproducer.
func ReproducerPipeline(text string) (string, bool) {
	_, meta, _ := strings.Cut(text, "mlir_reproducer")
	_, meta, _ = strings.Cut(meta, "pipeline:")
	_, meta, _ = strings.Cut(meta, `"`)
	pipeline, _, ok := strings.Cut(meta, `"`)
	return unescape(pipeline), ok
}

// unescape resolves the escapes in s, the content of a string that ir.AppendQuoted has
// written, without the quotes.
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
