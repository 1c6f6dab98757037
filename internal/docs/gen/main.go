// Command gen writes the reference pages under docs/isa and the table of what
// works, docs/status.md. Run it in the
// project's folder:
//
//	go run ./internal/docs/gen
package main

import (
	"log"
	"os"
	"path/filepath"

	_ "ptogo/dialect/builtin"
	"ptogo/internal/docs"
)

func main() {
	dir := filepath.Join("docs", "isa")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("docs", "status.md"), []byte(docs.Status()), 0o644); err != nil {
		log.Fatal(err)
	}
	for name, text := range docs.Pages() {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}
