// This file writes manifests for Homebrew, Scoop and winget.

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// These texts describe the project in packages and manifests. docs/release.md lists those
// that the owner must decide.
const (
	summary    = "Check, run, time and compile PTO kernels, the tile ISA of Ascend NPUs"
	license    = "NOASSERTION"
	maintainer = "The maintainers of ptogo <maintainers@example.invalid>"
)

// url returns the address from which the file of a release can be downloaded.
func (r *release) url(name string) string {
	return fmt.Sprintf("https://github.com/%s/releases/download/v%s/%s", r.repository, r.version, name)
}

// manifests writes the manifests for the archives that were built.
func (r *release) manifests() error {
	files := map[string]string{"homebrew/ptogo.rb": r.homebrew(), "scoop/ptogo.json": r.scoop()}
	for name, text := range r.winget() {
		files["winget/"+name] = text
	}
	for name, text := range files {
		if text == "" {
			continue
		}
		to := filepath.Join(r.out, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// homebrew returns a formula for the archives of macOS and Linux.
func (r *release) homebrew() string {
	var b strings.Builder
	fmt.Fprintf(&b, "class Ptogo < Formula\n  desc %q\n  homepage %q\n  version %q\n", summary, "https://github.com/"+r.repository, r.version)
	names := map[string]string{"darwin": "on_macos", "linux": "on_linux", "amd64": "on_intel", "arm64": "on_arm"}
	for _, system := range []string{"darwin", "linux"} {
		var inner strings.Builder
		for _, a := range r.archives {
			if a.system == system {
				fmt.Fprintf(&inner, "    %s do\n      url %q\n      sha256 %q\n    end\n", names[a.machine], r.url(a.name), a.sum)
			}
		}
		if inner.Len() > 0 {
			fmt.Fprintf(&b, "\n  %s do\n%s  end\n", names[system], &inner)
		}
	}
	var quoted []string
	for _, t := range tools {
		quoted = append(quoted, fmt.Sprintf("%q", t))
	}
	fmt.Fprintf(&b, `
  def install
    bin.install %s
    bash_completion.install Dir["completions/*.bash"]
    zsh_completion.install Dir["completions/_*"]
    fish_completion.install Dir["completions/*.fish"]
    man1.install Dir["man/*.1"]
    pkgshare.install "examples"
  end

  test do
    kernel = pkgshare/"examples/tutorial/affine.pto"
    output = shell_output("#{bin}/pto-run #{kernel} --arg iota=64x64xf32 --arg zeros=64x64xf32 --arg 2.0 --arg 1.0 --print")
    assert_match "8187  8189  8191", output
  end
end
`, strings.Join(quoted, ", "))
	return b.String()
}

// scoop returns a manifest for the archives of Windows, or "" if none was built.
func (r *release) scoop() string {
	machines := map[string]string{"amd64": "64bit", "arm64": "arm64"}
	architecture := map[string]any{}
	for _, a := range r.archives {
		if a.system == "windows" {
			architecture[machines[a.machine]] = map[string]string{
				"url": r.url(a.name), "hash": a.sum, "extract_dir": strings.TrimSuffix(a.name, ".zip"),
			}
		}
	}
	if len(architecture) == 0 {
		return ""
	}
	var programs []string
	for _, t := range tools {
		programs = append(programs, t+".exe")
	}
	text, err := json.MarshalIndent(map[string]any{
		"version": r.version, "description": summary, "homepage": "https://github.com/" + r.repository, "license": license,
		"architecture": architecture, "bin": programs,
	}, "", "    ")
	if err != nil {
		panic("BUG: " + err.Error()) // texts always have a JSON form
	}
	return string(text) + "\n"
}

// winget returns the three manifests that winget requires, by file name.
func (r *release) winget() map[string]string {
	owner, _, _ := strings.Cut(r.repository, "/")
	id := owner + ".ptogo"
	head := func(kind string) string {
		return fmt.Sprintf("PackageIdentifier: %s\nPackageVersion: %s\n%%sManifestType: %s\nManifestVersion: 1.6.0\n", id, r.version, kind)
	}
	machines := map[string]string{"amd64": "x64", "arm64": "arm64"}
	installers := "InstallerType: zip\nNestedInstallerType: portable\nInstallers:\n"
	built := false
	for _, a := range r.archives {
		if a.system != "windows" {
			continue
		}
		built = true
		installers += fmt.Sprintf("  - Architecture: %s\n    InstallerUrl: %s\n    InstallerSha256: %s\n    NestedInstallerFiles:\n",
			machines[a.machine], r.url(a.name), strings.ToUpper(a.sum))
		for _, t := range tools {
			installers += fmt.Sprintf("      - RelativeFilePath: %s\\%s.exe\n        PortableCommandAlias: %s\n", strings.TrimSuffix(a.name, ".zip"), t, t)
		}
	}
	if !built {
		return nil
	}
	described := fmt.Sprintf("PackageLocale: en-US\nPublisher: %s\nPackageName: ptogo\nLicense: %s\nShortDescription: %s\n", owner, license, summary)
	return map[string]string{
		id + ".yaml":              fmt.Sprintf(head("version"), "DefaultLocale: en-US\n"),
		id + ".installer.yaml":    fmt.Sprintf(head("installer"), installers),
		id + ".locale.en-US.yaml": fmt.Sprintf(head("defaultLocale"), described),
	}
}
