// This file keeps results in a cache on disk: the LLVM IR of files, and whole programs.

package cpp

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ptogo/dialect/pto/sem"
	"ptogo/frontend/llir"
	"ptogo/internal/temporary"
	"ptogo/ir"
)

// cacheFolder returns the folder of the cache, or "" if there is none.
func cacheFolder() string {
	base, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(base, "ptogo", "cpp")
}

// cacheVersion changes when this package processes the output of the compiler differently.
const cacheVersion = "5"

// cacheKey returns a name for the result of a compilation.
func cacheKey(t tools, src *ir.Source, args []string, passes, include string) string {
	h := sha256.New()
	for _, part := range append(append([]string{cacheVersion, src.Name, src.Text, headerVersion(), passes}, args...), stamp(t.clang), stamp(t.opt)) {
		fmt.Fprintf(h, "%d:%s\n", len(part), strings.ReplaceAll(part, filepath.Dir(include), ""))
	}
	if wd, err := os.Getwd(); err == nil {
		h.Write([]byte(wd))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// stamp returns a text that changes when a file changes.
func stamp(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return path + " missing"
	}
	return fmt.Sprintf("%s %d %d", path, info.Size(), info.ModTime().UnixNano())
}

// cached returns the result with the given key, and the stamps of the files on which it
// depends. It finds nothing if one of these files has changed. A cache entry is the
// stamps, one a line, an empty line, and the result.
func cached(key string) (stamps, text string, ok bool) {
	folder := cacheFolder()
	if folder == "" {
		return "", "", false
	}
	data, err := os.ReadFile(filepath.Join(folder, key))
	if err != nil {
		return "", "", false
	}
	stamps, text, ok = strings.Cut(string(data), "\n\n")
	if !ok || !unchanged(stamps) {
		return "", "", false
	}
	return stamps, text, true
}

// cacheEntries limits the number of results in the cache.
const cacheEntries = 400

// includedStamps returns the stamps of the included files that the file deps lists, or ""
// if it cannot be read. Files in own, folders that this package writes, are part of the key.
func includedStamps(deps string, own ...string) string {
	list, err := os.ReadFile(deps)
	if err != nil {
		return ""
	}
	stamps := "ptogo"
	words := strings.Fields(strings.ReplaceAll(string(list), "\\\n", " "))
	if len(words) == 0 {
		return ""
	}
	for _, path := range words[1:] {
		switch {
		case slices.ContainsFunc(own, func(dir string) bool { return strings.HasPrefix(path, dir) }):
		case strings.ContainsAny(path, "\\\t"):
			return "" // a name with spaces, which this function cannot separate
		default:
			stamps += "\n" + strings.Replace(stamp(path), path+" ", path+"\t", 1)
		}
	}
	return stamps
}

// remember writes a result to the cache. Errors only cost time later.
func remember(key, stamps, text string) {
	folder := cacheFolder()
	if folder == "" || stamps == "" || os.MkdirAll(folder, 0o755) != nil {
		return
	}
	if old, err := os.ReadDir(folder); err == nil && len(old) >= cacheEntries {
		for _, e := range old[:len(old)/2] {
			os.Remove(filepath.Join(folder, e.Name()))
		}
	}
	f, err := temporary.File(folder, "new-")
	if err != nil {
		return
	}
	defer temporary.Remove(f.Name())
	_, err = f.WriteString(stamps + "\n\n" + text)
	if f.Close() == nil && err == nil {
		_ = os.Rename(f.Name(), filepath.Join(folder, key))
	}
}

// program is a file that Read has converted, as it is in the cache.
type program struct {
	// Functions is the text of the kernels, and Places are the positions of operations.
	Functions string
	Places    []llir.Frame
	Warnings  []warning
	// DeviceForms means that the module needs the attribute pto.DeviceForms.
	DeviceForms bool
}

// warning is a warning about a kernel, with notes.
type warning struct {
	At    llir.Frame
	Text  string
	Notes []string
}

// programKey returns a name for the result of Read. It finds the compiler, but does not
// run it. The result is "" if no compiler is installed.
func programKey(src *ir.Source, o Options) string {
	clang := findClang(o.Compiler)
	self, err := os.Executable()
	if clang == "" || err != nil {
		return ""
	}
	wd, _ := os.Getwd()
	h := sha256.New()
	for _, part := range []string{"program 1", stamp(self), stamp(clang), wd, src.Name, src.Text, o.Kernel, sem.ProfileName(o.Target),
		strings.Join(o.Include, "\n"), strings.Join(o.Define, "\n")} {
		fmt.Fprintf(h, "%d:%s\n", len(part), part)
	}
	return "program-" + hex.EncodeToString(h.Sum(nil))
}

// cachedProgram returns the result of Read with the given key, or nil.
func cachedProgram(key string) *program {
	if key == "" {
		return nil
	}
	_, text, ok := cached(key)
	var p program
	if !ok || json.Unmarshal([]byte(text), &p) != nil {
		return nil
	}
	return &p
}

// rememberProgram writes the result of Read to the cache.
func rememberProgram(key, stamps string, p *program) {
	if text, err := json.Marshal(p); err == nil && key != "" {
		remember(key, stamps, string(text))
	}
}
