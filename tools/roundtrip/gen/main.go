// Command gen writes the round-trip tests. Run it in the project's folder:
//
//	go run ./tools/roundtrip/gen
package main

import (
	"log"
	"os"
	"path/filepath"

	_ "ptogo/dialect/all"
	"ptogo/tools/roundtrip"
)

func main() {
	dir := filepath.Join("test", "lit", "ops", "generated")
	if err := os.RemoveAll(dir); err != nil {
		log.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		log.Fatal(err)
	}
	for name, text := range roundtrip.Files() {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}
