package cli

import (
	"github.com/spf13/pflag"

	"ptogo/kernel"
)

// definePublicIR defines --read-ptoas-ir.
func definePublicIR(fs *pflag.FlagSet, value *string) {
	const name = "read-ptoas-ir"
	fs.StringVar(value, name, "", "the files are output of the public compiler ptoas, written by its option --emit-pto-ir, --mlir-print-ir-after-all or a similar one. If there are several dumps, `PASS` selects the one after that pass; the default is the last dump")
	fs.Lookup(name).NoOptDefVal = kernel.LastDump
}
