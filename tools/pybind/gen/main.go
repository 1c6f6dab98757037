// Command gen writes the table of definitions from which python/ptogo/mlir_compat creates
// its builders. Run it in the project's folder:
//
//	go run ./tools/pybind/gen
package main

import (
	"log"
	"os"
	"path/filepath"

	"ptogo/tools/pybind"
)

func main() {
	file := filepath.Join("python", "ptogo", "mlir_compat", "_definitions.py")
	if err := os.WriteFile(file, []byte(pybind.Definitions()), 0o644); err != nil {
		log.Fatal(err)
	}
}
