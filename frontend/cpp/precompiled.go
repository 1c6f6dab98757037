// This file keeps the header in the form that clang has parsed (a precompiled header),
// since most files take less time to compile than the header and the headers of the
// system that it includes.

package cpp

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ptogo/internal/pattern"
)

// precompiledFolders limits the number of precompiled headers in the cache: one for each
// compiler, target and type of core in use.
const precompiledFolders = 12

// headerAge is the age at which a header may be removed: another process may compile with
// a new one.
const headerAge = time.Hour

// includesLibrary matches the text of a file that includes the header of the library. The
// precompiled header is for such files only, since clang reads it before the file.
var includesLibrary = pattern.Of(`(?m)^\s*#\s*include\s*[<"]pto/`)

// precompiled returns the options with which clang uses the precompiled header, and the
// stamps of the files on which that header depends. The parameter args are the options of
// the compilation that affect the header. precompiled returns nil if there is no such
// header yet. It compiles the header when it is asked for the second time, so that a
// single compilation does not need the time.
func precompiled(t tools, args []string) (options []string, stamps string) {
	folder := cacheFolder()
	if folder == "" {
		return nil, ""
	}
	h := sha256.New()
	for _, part := range append([]string{"1", headerVersion(), stamp(t.clang)}, args...) {
		fmt.Fprintf(h, "%d:%s\n", len(part), part)
	}
	all := filepath.Join(folder, "headers")
	dir := filepath.Join(all, hex.EncodeToString(h.Sum(nil))[:24])
	file := filepath.Join(dir, "header.pch")
	if list, err := os.ReadFile(filepath.Join(dir, "stamps")); err == nil {
		if stamps = string(list); unchanged(stamps) {
			return []string{"-I" + filepath.Join(dir, headerFolder), "-include-pch", file}, stamps
		}
		os.RemoveAll(dir)
	}
	if os.MkdirAll(all, 0o755) != nil || os.Mkdir(dir, 0o755) == nil || !claimed(dir) {
		return nil, ""
	}
	if old, err := os.ReadDir(all); err == nil && len(old) > precompiledFolders {
		for _, e := range old {
			info, err := e.Info()
			if path := filepath.Join(all, e.Name()); path != dir && err == nil && time.Since(info.ModTime()) > headerAge {
				os.RemoveAll(path)
			}
		}
	}
	include, err := writeHeader(dir)
	if err != nil {
		return nil, ""
	}
	source, deps := filepath.Join(dir, "header.hpp"), filepath.Join(dir, "deps")
	if os.WriteFile(source, []byte("#include <pto/pto-inst.hpp>\n"), 0o644) != nil {
		return nil, ""
	}
	if run(t.clang, append(args, "-I"+include, "-MD", "-MF", deps, "-x", "c++-header", source, "-o", file)...) != nil {
		return nil, ""
	}
	stamps = includedStamps(deps, dir)
	ready := filepath.Join(dir, "stamps")
	if stamps == "" || os.WriteFile(ready+".new", []byte(stamps), 0o644) != nil || os.Rename(ready+".new", ready) != nil {
		return nil, ""
	}
	return []string{"-I" + include, "-include-pch", file}, stamps
}

// claimed reports whether this process is the one that compiles the header in dir. The
// claim of a process that ended early is valid for a while.
func claimed(dir string) bool {
	path := filepath.Join(dir, "claim")
	if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > 2*compileLimit {
		os.Remove(path)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return false
	}
	return f.Close() == nil
}

// unchanged reports whether all files in a list of stamps are as they were.
func unchanged(stamps string) bool {
	for _, line := range strings.Split(stamps, "\n")[1:] {
		path, _, _ := strings.Cut(line, "\t")
		if stamp(path) != strings.ReplaceAll(line, "\t", " ") {
			return false
		}
	}
	return true
}
