// This file defines the option --read-ptoas-ir.

package cli

import (
	"github.com/spf13/pflag"

	"ptogo/kernel"
)

// definePublicIR declares option --read-ptoas-ir, which accepts intermediate programs
// that ptoas has printed.
func definePublicIR(fs *pflag.FlagSet, value *string) {
	const name = "read-ptoas-ir"
	fs.StringVar(value, name, "", "accept files that the public compiler ptoas wrote with --emit-pto-ir, --mlir-print-ir-after-all or a similar option. If a file contains several dumps, `PASS` selects the dump after that pass. The default is the last dump")
	fs.Lookup(name).NoOptDefVal = kernel.LastDump
}
