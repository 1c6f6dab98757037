package opt

import (
	"bytes"
	"strings"
)

// ptoOpt runs pto-opt on a text.
func ptoOpt(text string, args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = Main(args, strings.NewReader(text), &out, &err)
	return code, out.String(), err.String()
}
