// Command gen writes the reference pages under docs/isa and the generated tables in docs. Run it in the project's folder:
//
//	go run ./tools/docs/gen
package main

import (
	"log"
	"os"
	"path/filepath"

	_ "ptogo/dialect/all"
	"ptogo/tools/docs"
)

func main() {
	dir := filepath.Join("docs", "isa")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		log.Fatal(err)
	}
	write("docs", docs.Tables())
	write(dir, docs.Pages())
}

func write(dir string, files map[string]string) {
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}
