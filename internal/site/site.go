// Package site builds the website of the playground from the bundle of package web, the
// examples, and the tools compiled to WebAssembly, which Wasm builds. Write exports the
// site for a static host, and Handler serves it.
package site

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ptogo/examples"
	"ptogo/web"
)

// Site maps the path of each file of the website to its contents.
type Site map[string][]byte

// example is one entry of the example menu.
type example struct {
	Name string `json:"name"`
	File string `json:"file"`
	Text string `json:"text"`
}

// group is a section of the menu of examples on the website.
type group struct {
	Title string    `json:"title"`
	Items []example `json:"items"`
}

// folders lists the sections of the menu and the folders with their examples.
var folders = []struct{ title, folder string }{
	{"Tutorial", "tutorial"}, {"Kernels", "."}, {"Kernels with a mistake", "hazards"}, {"Cube and vector cores together", "cores"},
	{"With buffers (level 2)", "level2"}, {"Several ranks", "ranks"},
}

// New returns the files of the website: wasm is the WebAssembly program, exec is the
// JavaScript file that starts it, and source are the files of this module, of which the
// website shows the documentation.
func New(wasm, exec []byte, source fs.FS) (Site, error) {
	s := Site{"wasm_exec.js": exec}
	if err := s.addAll(web.Files(), "."); err != nil {
		return nil, err
	}
	menu, err := exampleGroups()
	if err != nil {
		return nil, err
	}
	if s["examples.json"], err = json.Marshal(menu); err != nil {
		return nil, err
	}
	arrays, err := fs.Sub(examples.Files, "expected")
	if err != nil {
		return nil, err
	}
	if err := s.addAll(arrays, "examples/expected"); err != nil {
		return nil, err
	}
	if err := s.addPages(source); err != nil {
		return nil, err
	}
	if s["pto.wasm.gz"], err = compress(wasm); err != nil {
		return nil, err
	}
	s.setVersion()
	return s, nil
}

// addAll adds all files of a file system to the site, below the path in the parameter
// under.
func (s Site) addAll(files fs.FS, under string) error {
	return fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := fs.ReadFile(files, name)
		s[path.Join(under, name)] = content
		return err
	})
}

// exampleGroups returns the entries of the menu of examples: one group for each folder of
// example programs, with the texts of the programs.
func exampleGroups() (menu []group, err error) {
	for _, f := range folders {
		g := group{Title: f.title}
		names, err := fs.Glob(examples.Files, path.Join(f.folder, "*.pto"))
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			text, err := fs.ReadFile(examples.Files, name)
			if err != nil {
				return nil, err
			}
			g.Items = append(g.Items, example{strings.TrimSuffix(path.Base(name), ".pto"), "examples/" + name, string(text)})
		}
		menu = append(menu, g)
	}
	return menu, nil
}

// compress returns data in gzip format.
func compress(data []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}

// setVersion writes two values into the service worker: a version that depends on all
// files, and the list of files to cache.
func (s Site) setVersion() {
	sum := sha256.New()
	var names []string
	for _, name := range slices.Sorted(maps.Keys(s)) {
		fmt.Fprintf(sum, "%s %d\n", name, len(s[name]))
		sum.Write(s[name])
		if name != "sw.js" && name != "report.js" && !strings.HasPrefix(name, "docs/") {
			names = append(names, name)
		}
	}
	script := strings.ReplaceAll(string(s["sw.js"]), "__VERSION__", "pto-"+hex.EncodeToString(sum.Sum(nil)[:8]))
	s["sw.js"] = []byte(strings.ReplaceAll(script, "__FILES__", "./ "+strings.Join(names, " ")))
}

// Write writes the site to a folder.
func (s Site) Write(dir string) error {
	for _, name := range slices.Sorted(maps.Keys(s)) {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, s[name], 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Size returns the number of bytes that a browser loads to display the page.
func (s Site) Size() (n int) {
	for name, content := range s {
		if name != "report.js" && !strings.HasPrefix(name, "examples/") && !strings.HasPrefix(name, "docs/") {
			n += len(content)
		}
	}
	return n
}
