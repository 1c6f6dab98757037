// Command gen writes dialect/pto/history/history.tsv. With -compat it instead prints which
// public programs of each version from 0.44 on today's tools read, for
// docs/measurements/versions.md. It needs git, llvm-tblgen and the definitions of MLIR, and
// takes a minute. Run it in the project's folder:
//
//	go run ./tools/upstream/gen -ptoas DIR [-compat]
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"ptogo/dialect/pto/history"
	"ptogo/tools/upstream"
)

func main() {
	dir := flag.String("ptoas", os.Getenv("PTO_PTOAS"), "checkout of ptoas with its history")
	first := flag.String("first", "0.25", "first version of the table")
	tblgen := flag.String("tblgen", "llvm-tblgen-19", "the program llvm-tblgen")
	compat := flag.Bool("compat", false, "print the table of public programs")
	include := flag.String("include", "/usr/lib/llvm-19/include", "folder with mlir/IR/OpBase.td")
	flag.Parse()
	from, err := history.Parse(*first)
	if err != nil {
		log.Fatal(err)
	}
	r := &upstream.Reader{Dir: *dir, TableGen: *tblgen, Include: *include}
	if *compat {
		releases, err := upstream.Releases(*dir, history.Version{Minor: 44})
		if err != nil {
			log.Fatal(err)
		}
		all, err := r.Compat(releases)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Print(upstream.Page(all))
		for _, c := range all {
			for what, n := range c.Foreign {
				log.Printf("%s: %d programs: %s", c.Release.Version, n, what)
			}
		}
		return
	}
	table, err := r.Table(from)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("dialect", "pto", "history", "history.tsv"), []byte(table), 0o644); err != nil {
		log.Fatal(err)
	}
}
