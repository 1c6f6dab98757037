// Command build bundles the page of the playground from web/src into web/dist, which is
// committed so that pto-playground needs Go only. Run `npm ci` in web first. It is a module
// of its own, so that the tools do not depend on the bundler.
//
//	cd web/build && go run . [-o DIR]
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

func main() {
	out := flag.String("o", "../dist", "write the bundle to this `DIR`")
	flag.Parse()
	if err := build("../src", *out); err != nil {
		fmt.Fprintf(os.Stderr, "build: error: %v\n", err)
		os.Exit(1)
	}
}

// build bundles the scripts in the folder src and copies the other files. The parameter
// out is the folder for the results.
func build(src, out string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for _, script := range []struct{ from, to string }{{"main.js", "app.js"}, {"worker.js", "worker.js"}, {"report.js", "report.js"}} {
		if err := bundle(filepath.Join(src, script.from), filepath.Join(out, script.to)); err != nil {
			return err
		}
	}
	if err := bundle(filepath.Join(src, "style.css"), filepath.Join(out, "style.css")); err != nil {
		return err
	}
	for _, name := range []string{"index.html", "icon.svg", "sw.js"} {
		text, err := os.ReadFile(filepath.Join(src, name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(out, name), text, 0o644); err != nil {
			return err
		}
	}
	return licenses(filepath.Join(src, "..", "node_modules"), filepath.Join(out, "licenses.txt"))
}

// licenses writes the licenses of the npm packages that the bundle contains. The
// parameter packages is the folder of the packages, and the parameter to is the path of
// the written file.
func licenses(packages, to string) error {
	files, err := filepath.Glob(filepath.Join(packages, "*", "LICENSE"))
	if err != nil {
		return err
	}
	scoped, err := filepath.Glob(filepath.Join(packages, "@*", "*", "LICENSE"))
	if err != nil {
		return err
	}
	files = append(files, scoped...)
	slices.Sort(files)
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(packages, filepath.Dir(file))
		if err != nil {
			return err
		}
		fmt.Fprintf(&all, "%s\n\n%s\n\n", filepath.ToSlash(name), strings.TrimSpace(string(text)))
	}
	return os.WriteFile(to, []byte(all.String()), 0o644)
}

// bundle combines a source file and everything that it imports into a single file. The
// parameter entry is the path of the source file, and the parameter to is the path of the
// result.
func bundle(entry, to string) error {
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{entry}, Outfile: to, Bundle: true, Write: true,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true,
		Format: api.FormatIIFE, Target: api.ES2022, Charset: api.CharsetUTF8, LegalComments: api.LegalCommentsEndOfFile,
	})
	if len(result.Errors) > 0 {
		return fmt.Errorf("%s: %s", entry, api.FormatMessages(result.Errors, api.FormatMessagesOptions{})[0])
	}
	return nil
}
