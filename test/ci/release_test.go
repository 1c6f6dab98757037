package ci

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestActionRelease runs the script of the action with the tools of a release, which a
// server on this machine offers. A wrong checksum is an error, and the tools do not run.
func TestActionRelease(t *testing.T) {
	for _, tool := range []string{"bash", "curl", "tar"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Logf("%s is missing", tool)
			return
		}
	}
	folder := fmt.Sprintf("ptogo_9.9.9_%s_%s", runtime.GOOS, runtime.GOARCH)
	data := archiveOf(t, folder)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v9.9.9/"+folder+".tar.gz" {
			http.NotFound(w, r)
			return
		}
		w.Write(data)
	}))
	defer server.Close()
	abs, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	dir := kernels(t)
	check := func(version, sum string) (string, error) {
		cmd := exec.Command("bash", filepath.Join(abs, "scripts", "ci-check.sh"))
		cmd.Env = append(os.Environ(), "ACTION=/nonexistent", "FILES="+dir, "VERSION="+version, "SHA256="+sum, "RELEASES="+server.URL)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	sum := fmt.Sprintf("%x", sha256.Sum256(data))
	if out, err := check("9.9.9", sum); err == nil || !strings.Contains(out, "::error file="+filepath.Join(dir, "wrong.pto")) {
		t.Errorf("with a release: %v\n%s", err, out)
	}
	for name, c := range map[string]struct{ version, sum, want string }{
		"wrong checksum":  {"9.9.9", strings.Repeat("0", 64), "but the input sha256 is 000"},
		"no checksum":     {"9.9.9", "", "needs the input sha256"},
		"missing version": {"8.8.8", sum, "404"},
	} {
		if out, err := check(c.version, c.sum); err == nil || !strings.Contains(out, c.want) || strings.Contains(out, "wrong.pto") {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// archiveOf returns an archive as a release has it, with pto-opt in a folder.
func archiveOf(t *testing.T, folder string) []byte {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "pto-opt")
	if out, err := exec.Command("go", "build", "-ldflags=-w", "-o", bin, "ptogo/cmd/pto-opt").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	program, err := os.ReadFile(bin)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	if err := w.WriteHeader(&tar.Header{Name: folder + "/pto-opt", Mode: 0o755, Size: int64(len(program))}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(program); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
