package cli

import (
	"github.com/spf13/pflag"

	"ptogo/kernel"
)

// definePublicIR defines --read-ptoas-ir.
func definePublicIR(fs *pflag.FlagSet, value *string) {
	const name = "read-ptoas-ir"
	fs.StringVar(value, name, "", "read output of the public compiler instead of programs: what --emit-pto-ir writes, or what --mlir-print-ir-after-all and similar options print. `PASS` selects the program after that pass; the default is the last program")
	fs.Lookup(name).NoOptDefVal = kernel.LastDump
}
