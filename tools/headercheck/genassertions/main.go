// Command genassertions writes docs/isa/header-assertions.md: the conditions that the NPU
// headers check when a kernel runs. Run it in the project's folder:
//
//	PTO_ISA=path/to/pto-isa go run ./tools/headercheck/genassertions
package main

import (
	"log"
	"os"
	"path/filepath"

	"ptogo/tools/headercheck"
)

func main() {
	page, err := headercheck.AssertionsPage(filepath.Join(os.Getenv("PTO_ISA"), "include", "pto"))
	if err == nil {
		err = os.WriteFile(filepath.Join("docs", "isa", "header-assertions.md"), []byte(page), 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}
