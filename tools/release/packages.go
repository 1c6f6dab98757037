// This file builds packages for Linux distributions.

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// nfpm is the program that builds deb, rpm and apk packages. Later versions need a module
// with support for Windows packages, which not every proxy serves.
const nfpm = "github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.45.1"

// linuxPackages builds the deb, rpm and apk packages for a processor. The tools are
// static, so that one package fits every distribution.
func (r *release) linuxPackages(work, machine string, programs []string) error {
	config := filepath.Join(work, "nfpm-"+machine+".yaml")
	if err := os.WriteFile(config, []byte(r.nfpmConfig(work, machine, programs)), 0o644); err != nil {
		return err
	}
	for _, format := range []string{"deb", "rpm", "apk"} {
		cmd := exec.Command("go", "run", nfpm, "package", "--config", config, "--packager", format, "--target", r.out)
		cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH="+fmt.Sprint(r.date.Unix()))
		if text, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("nfpm for %s on %s: %w\n%s", format, machine, err, text)
		}
	}
	return nil
}

// nfpmConfig returns the configuration of nfpm for a processor.
func (r *release) nfpmConfig(work, machine string, programs []string) string {
	var b strings.Builder
	number, rest, snapshot := strings.Cut(r.version, "-")
	fmt.Fprintf(&b, "name: ptogo\narch: %s\nplatform: linux\nversion: %q\nversion_schema: semver\n", machine, number)
	if snapshot {
		fmt.Fprintf(&b, "prerelease: %q\n", rest)
	}
	fmt.Fprintf(&b, "maintainer: %q\ndescription: %q\nlicense: %q\nhomepage: %q\nmtime: %q\ncontents:\n",
		maintainer, summary, license, "https://github.com/"+r.repository, r.date.Format("2006-01-02T15:04:05Z"))
	add := func(from, to string, mode int) {
		fmt.Fprintf(&b, "  - src: %q\n    dst: %q\n    file_info: {mode: 0%o}\n", from, to, mode)
	}
	for _, p := range programs {
		add(p, "/usr/bin/"+filepath.Base(p), 0o755)
	}
	shared := filepath.Join(work, "shared")
	for _, tool := range []string{"pto-run", "pto-opt"} {
		add(filepath.Join(shared, "completions", tool+".bash"), "/usr/share/bash-completion/completions/"+tool, 0o644)
		add(filepath.Join(shared, "completions", "_"+tool), "/usr/share/zsh/site-functions/_"+tool, 0o644)
		add(filepath.Join(shared, "completions", tool+".fish"), "/usr/share/fish/vendor_completions.d/"+tool+".fish", 0o644)
		add(filepath.Join(shared, "man", tool+".1"), "/usr/share/man/man1/"+tool+".1", 0o644)
	}
	add("examples/tutorial/affine.pto", "/usr/share/doc/ptogo/examples/tutorial/affine.pto", 0o644)
	add("README.md", "/usr/share/doc/ptogo/README.md", 0o644)
	add("CHANGELOG.md", "/usr/share/doc/ptogo/CHANGELOG.md", 0o644)
	return b.String()
}
