package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// sample returns a release whose archives exist in name only.
func sample() *release {
	r := &release{version: "1.2.3", repository: "someone/ptogo", date: time.Unix(1_700_000_000, 0).UTC()}
	for i, p := range allPlatforms {
		system, machine, _ := strings.Cut(p, "/")
		end := ".tar.gz"
		if system == "windows" {
			end = ".zip"
		}
		r.archives = append(r.archives, archive{system, machine, "ptogo_1.2.3_" + system + "_" + machine + end, strings.Repeat(string(rune('a'+i)), 64)})
	}
	return r
}

// TestArchives writes the same files as tar and zip, twice each. Both writes have equal
// bytes, because archives must not depend on the time or on the machine.
func TestArchives(t *testing.T) {
	dir := t.TempDir()
	var files []file
	for name, program := range map[string]bool{"pto-run": true, "docs/page.md": false} {
		from := filepath.Join(dir, filepath.Base(name))
		if err := os.WriteFile(from, []byte("contents of "+name), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, file{name, from, program})
	}
	r := sample()
	for kind, write := range map[string]func(io.Writer, string, []file) error{"tar": r.writeTar, "zip": r.writeZip} {
		var a, b bytes.Buffer
		if err := write(&a, "folder", files); err != nil {
			t.Fatal(err)
		}
		if err := write(&b, "folder", files); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("%s: two archives of the same files differ", kind)
		}
		found := map[string]os.FileMode{}
		if kind == "tar" {
			z, err := gzip.NewReader(&a)
			if err != nil {
				t.Fatal(err)
			}
			for list := tar.NewReader(z); ; {
				h, err := list.Next()
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				found[h.Name] = h.FileInfo().Mode()
			}
		} else {
			z, err := zip.NewReader(bytes.NewReader(a.Bytes()), int64(a.Len()))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range z.File {
				found[f.Name] = f.Mode()
			}
		}
		if len(found) != 2 || found["folder/pto-run"] != 0o755 || found["folder/docs/page.md"] != 0o644 {
			t.Errorf("%s: the archive has %v", kind, found)
		}
	}
}

// TestManifests verifies that each manifest has the address and the checksum of each of
// its archives, and names every tool.
func TestManifests(t *testing.T) {
	r := sample()
	var scoop struct {
		Architecture map[string]struct{ URL, Hash string }
		Bin          []string
	}
	if err := json.Unmarshal([]byte(r.scoop()), &scoop); err != nil || len(scoop.Architecture) != 2 || len(scoop.Bin) != len(tools) {
		t.Errorf("scoop: %v\n%s", err, r.scoop())
	}
	winget := r.winget()
	if len(winget) != 3 || strings.Contains(winget["someone.ptogo.yaml"], "%!") {
		t.Errorf("winget: %q", winget)
	}
	for _, a := range r.archives {
		text, sum := r.homebrew(), a.sum
		if a.system == "windows" {
			text, sum = winget["someone.ptogo.installer.yaml"], strings.ToUpper(a.sum)
		}
		address := "https://github.com/someone/ptogo/releases/download/v1.2.3/" + a.name
		if !strings.Contains(text, address) || !strings.Contains(text, sum) {
			t.Errorf("no manifest has %s with the checksum %s:\n%s", address, sum, text)
		}
		for _, tool := range tools {
			if !strings.Contains(text, tool) {
				t.Errorf("a manifest for %s lacks %s", a.system, tool)
			}
		}
	}
	r.archives = nil
	if r.scoop() != "" || r.winget() != nil {
		t.Error("a release without archives for Windows has manifests for Windows")
	}
}

// TestPackages verifies that the configuration of nfpm names the version, and that a
// snapshot is older than its version.
func TestPackages(t *testing.T) {
	r := sample()
	r.version = "1.2.3-dev.0123"
	text := r.nfpmConfig("folder", "arm64", []string{"folder/pto-run"})
	for _, want := range []string{"arch: arm64", `version: "1.2.3"`, `prerelease: "dev.0123"`, `dst: "/usr/bin/pto-run"`, "man1/pto-opt.1"} {
		if !strings.Contains(text, want) {
			t.Errorf("the configuration lacks %q:\n%s", want, text)
		}
	}
}

// TestProvenance verifies that the provenance names the commit and every file with its
// checksum, and that checksums.txt includes the provenance.
func TestProvenance(t *testing.T) {
	r := sample()
	r.out, r.commit = t.TempDir(), strings.Repeat("c", 40)
	if err := os.WriteFile(filepath.Join(r.out, "a.txt"), []byte("a"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := r.checksums(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(r.out, provenanceName))
	if err != nil {
		t.Fatal(err)
	}
	var s statement
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	const sumOfA = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
	if len(s.Subject) != 1 || s.Subject[0].Name != "a.txt" || s.Subject[0].Digest["sha256"] != sumOfA {
		t.Errorf("subject %v", s.Subject)
	}
	if got := s.Predicate.Definition.Resolved[0].Digest["gitCommit"]; got != r.commit {
		t.Errorf("commit %s", got)
	}
	sums, err := os.ReadFile(filepath.Join(r.out, "checksums.txt"))
	if err != nil || strings.Count(string(sums), "\n") != 2 || !strings.Contains(string(sums), "  "+provenanceName+"\n") {
		t.Errorf("%v\n%s", err, sums)
	}
}
