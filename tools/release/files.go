// This file selects the files of an archive and writes archives.

package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// file is a file in an archive: its path there, and its path on this machine.
type file struct {
	name, from string
	program    bool
}

// copied are the patterns of files that every archive contains.
var copied = []string{"README.md", "CHANGELOG.md", "docs", "examples", "editors/pto.tmLanguage.json"}

// completions lists the completion scripts and manual pages: the value of the option
// --completion, and the path in an archive with the name of the tool for %s.
var completions = [][2]string{
	{"bash", "completions/%s.bash"}, {"zsh", "completions/_%s"}, {"fish", "completions/%s.fish"}, {"man", "man/%s.1"},
}

// sharedFiles returns the files that are the same on all platforms. It writes the
// completion scripts and manual pages, which the tools print, to the parameter folder.
func (r *release) sharedFiles(folder string) (list []file, err error) {
	text, err := output("git", append([]string{"ls-files", "-z", "--"}, copied...)...)
	if err != nil {
		return nil, err
	}
	for _, name := range strings.Split(strings.TrimSuffix(text, "\x00"), "\x00") {
		if !strings.HasSuffix(name, ".go") && !strings.HasPrefix(name, "docs/measurements/") {
			list = append(list, file{name: name, from: filepath.FromSlash(name)})
		}
	}
	for _, tool := range []string{"pto-run", "pto-opt"} {
		program := filepath.Join(folder, tool)
		build := exec.Command("go", "build", "-o", program, "./cmd/"+tool)
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return nil, fmt.Errorf("go build of %s: %w", tool, err)
		}
		for _, c := range completions {
			text, err := exec.Command(program, "--completion="+c[0]).Output()
			if err != nil {
				return nil, fmt.Errorf("%s --completion=%s: %w", tool, c[0], err)
			}
			name := fmt.Sprintf(c[1], tool)
			from := filepath.Join(folder, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(from), 0o755); err != nil {
				return nil, err
			}
			if err := os.WriteFile(from, text, 0o644); err != nil {
				return nil, err
			}
			list = append(list, file{name: name, from: from})
		}
	}
	return list, nil
}

// pack writes the archive for a platform: a zip file for Windows, and a compressed tar
// file for other systems. All files are in one folder with the name of the archive.
func (r *release) pack(system, machine string, programs []string, shared []file) (archive, error) {
	a := archive{system: system, machine: machine}
	folder := fmt.Sprintf("ptogo_%s_%s_%s", r.version, system, machine)
	files := slices.Clone(shared)
	for _, p := range programs {
		files = append(files, file{name: filepath.Base(p), from: p, program: true})
	}
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	write := r.writeTar
	a.name = folder + ".tar.gz"
	if system == "windows" {
		a.name, write = folder+".zip", r.writeZip
	}
	f, err := os.Create(filepath.Join(r.out, a.name))
	if err != nil {
		return a, err
	}
	defer f.Close()
	sum := sha256.New()
	if err := write(io.MultiWriter(f, sum), folder, files); err != nil {
		return a, fmt.Errorf("%s: %w", a.name, err)
	}
	a.sum = hex.EncodeToString(sum.Sum(nil))
	return a, f.Close()
}

// mode returns the permissions of a file in an archive.
func (f file) mode() int64 {
	if f.program {
		return 0o755
	}
	return 0o644
}

func (r *release) writeTar(w io.Writer, folder string, files []file) error {
	compressed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(compressed)
	for _, f := range files {
		data, err := os.ReadFile(f.from)
		if err != nil {
			return err
		}
		h := &tar.Header{Name: path.Join(folder, f.name), Mode: f.mode(), Size: int64(len(data)), ModTime: r.date, Typeflag: tar.TypeReg}
		if err := t.WriteHeader(h); err != nil {
			return err
		}
		if _, err := t.Write(data); err != nil {
			return err
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	return compressed.Close()
}

func (r *release) writeZip(w io.Writer, folder string, files []file) error {
	z := zip.NewWriter(w)
	for _, f := range files {
		data, err := os.ReadFile(f.from)
		if err != nil {
			return err
		}
		h := &zip.FileHeader{Name: path.Join(folder, f.name), Method: zip.Deflate, Modified: r.date}
		h.SetMode(os.FileMode(f.mode()))
		to, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := to.Write(data); err != nil {
			return err
		}
	}
	return z.Close()
}

// checksums writes the provenance and then checksums.txt, the SHA-256 checksums of all
// files.
func (r *release) checksums() error {
	sums, err := r.sums()
	if err != nil {
		return err
	}
	if err := r.provenance(sums); err != nil {
		return err
	}
	if sums, err = r.sums(); err != nil {
		return err
	}
	var text strings.Builder
	for _, s := range sums {
		fmt.Fprintf(&text, "%s  %s\n", s.Value, s.Name)
	}
	return os.WriteFile(filepath.Join(r.out, "checksums.txt"), []byte(text.String()), 0o644)
}

// sums returns the name and the SHA-256 checksum of each file in the folder of the release.
func (r *release) sums() (sums []namedValue, err error) {
	err = filepath.WalkDir(r.out, func(at string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(at)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(r.out, at)
		sums = append(sums, namedValue{filepath.ToSlash(name), fmt.Sprintf("%x", sha256.Sum256(data))})
		return err
	})
	return sums, err
}
