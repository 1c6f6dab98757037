package lit_test

import (
	"bytes"
	"fmt"
	"io"

	"ptogo/internal/cli"
)

// roundtrip is `roundtrip [options] file`: it prints the file as pto-opt does,
// after it has made sure that pto-opt prints the same when it reads its own
// output, be it in custom or in generic form.
func roundtrip(args, _ []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		fmt.Fprintln(stderr, "roundtrip: a file is wanted")
		return 2
	}
	options, file := args[:len(args)-1], args[len(args)-1]
	once, status := ptoOpt(stdin, stderr, append(options, file))
	if status != 0 {
		return status
	}
	for _, form := range [][]string{nil, {"--mlir-print-op-generic"}} {
		printed, status := ptoOpt(bytes.NewReader(once), stderr, append(form, options...))
		if status != 0 {
			return status
		}
		again, status := ptoOpt(bytes.NewReader(printed), stderr, options)
		if status != 0 {
			return status
		}
		if !bytes.Equal(once, again) {
			fmt.Fprintf(stderr, "roundtrip %v: printed first:\n%s\nprinted in the end:\n%s\n", form, once, again)
			return 1
		}
	}
	_, _ = stdout.Write(once) // whoever reads decides
	return 0
}

// ptoOpt returns what pto-opt prints. Its arguments are copied: they share
// memory with those of other calls.
func ptoOpt(stdin io.Reader, stderr io.Writer, args []string) ([]byte, int) {
	var out bytes.Buffer
	status := cli.Opt(append([]string(nil), args...), stdin, &out, stderr)
	return out.Bytes(), status
}
