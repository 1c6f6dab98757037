// Command gen compiles all tuples (calls with operands of certain types) with the NPU
// headers. It writes docs/isa/header-legality.md, and the cases of the conformance suite
// about rejected programs. It needs about ten minutes. Run it in the project's folder:
//
//	PTO_ISA=path/to/pto-isa go run ./tools/headercheck/gen
package main

import (
	"log"
	"os"
	"path/filepath"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/tools/headercheck"
)

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	dir, err := os.MkdirTemp("", "headercheck")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	headers, err := headercheck.NewHeaders(dir)
	if err != nil {
		return err
	}
	var all []headercheck.Result
	for _, target := range []ir.Target{sem.A3, sem.A5} {
		results, err := headers.Compare(headercheck.Tuples(target))
		if err != nil {
			return err
		}
		all = append(all, results...)
	}
	if err := headercheck.WriteCases(filepath.Join("conformance", "verifier"), all); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join("docs", "isa", "header-legality.md"), []byte(headercheck.Page(all)), 0o644)
}
