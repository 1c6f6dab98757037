// Command release builds everything that a release of the project publishes, for all
// platforms, in the folder dist: archives, checksums, an SBOM, Linux packages, and
// manifests for Homebrew, Scoop and winget. docs/release.md lists the files.
//
//	go run ./tools/release [-out dist] [-platforms linux/amd64,...] [-repository OWNER/NAME] [-packages=false]
//
// If the current commit has the tag vVERSION, the files are those of this version.
// Otherwise they are a snapshot, whose version ends with the commit. The program
// publishes nothing.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"ptogo/internal/version"
)

func main() {
	r := &release{}
	flag.StringVar(&r.out, "out", "dist", "write the files to this `FOLDER`")
	platforms := flag.String("platforms", strings.Join(allPlatforms, ","), "build for these platforms, each `GOOS/GOARCH`")
	flag.StringVar(&r.repository, "repository", "OWNER/ptogo", "the `REPOSITORY` whose releases the manifests name")
	flag.BoolVar(&r.packages, "packages", true, "build deb, rpm and apk packages")
	flag.Parse()
	r.platforms = strings.Split(*platforms, ",")
	if err := r.build(); err != nil {
		fmt.Fprintf(os.Stderr, "release: error: %v\n", err)
		os.Exit(1)
	}
}

// allPlatforms are the platforms for which a release has archives.
var allPlatforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

// tools are the programs in an archive.
var tools = []string{"pto-run", "pto-opt", "pto-reduce", "pto-lsp-server", "pto-mcp"}

// release is one set of files.
type release struct {
	out, repository string
	platforms       []string
	packages        bool
	// version is the version in the names of files, without a leading v.
	version string
	// commit is the commit of the sources, and date is its time. All files in archives
	// have this time, so that equal sources result in equal archives.
	commit string
	date   time.Time
	// archives are the archives that were written, in order.
	archives []archive
}

// archive is an archive with the tools for one platform.
type archive struct {
	system, machine string
	// name is the name of the file, and sum is its SHA-256 checksum in hexadecimal.
	name, sum string
}

func (r *release) build() error {
	if err := r.identify(); err != nil {
		return err
	}
	if err := os.RemoveAll(r.out); err != nil {
		return err
	}
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	shared, err := r.sharedFiles(filepath.Join(work, "shared"))
	if err != nil {
		return err
	}
	var built []string // all programs, for the SBOM
	for _, p := range r.platforms {
		system, machine, _ := strings.Cut(p, "/")
		programs, err := r.compile(filepath.Join(work, system+"-"+machine), system, machine)
		if err != nil {
			return err
		}
		built = append(built, programs...)
		a, err := r.pack(system, machine, programs, shared)
		if err != nil {
			return err
		}
		r.archives = append(r.archives, a)
		if r.packages && system == "linux" {
			if err := r.linuxPackages(work, machine, programs); err != nil {
				return err
			}
		}
	}
	if err := r.sbom(built); err != nil {
		return err
	}
	if err := r.manifests(); err != nil {
		return err
	}
	return r.checksums()
}

// identify determines the version, the commit and its time.
func (r *release) identify() error {
	out, err := output("git", "log", "-1", "--format=%H %ct")
	if err != nil {
		return err
	}
	commit, seconds, _ := strings.Cut(out, " ")
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return fmt.Errorf("git prints the time %q: %w", seconds, err)
	}
	r.commit, r.date = commit, time.Unix(n, 0).UTC()
	changed, err := output("git", "status", "--porcelain")
	if err != nil {
		return err
	}
	tags, err := output("git", "tag", "--points-at", "HEAD")
	if err != nil {
		return err
	}
	r.version = version.Number
	for tag := range strings.FieldsSeq(tags) {
		switch {
		case tag == "v"+version.Number && changed != "":
			return fmt.Errorf("the sources of %s have changes that are not committed:\n%s", tag, changed)
		case tag == "v"+version.Number:
			return nil
		case strings.HasPrefix(tag, "v"):
			return fmt.Errorf("the commit has the tag %s, but internal/version states %s", tag, version.Number)
		}
	}
	r.version += "-dev." + r.commit[:8]
	if changed != "" {
		r.version += ".modified"
	}
	return nil
}

// compile builds the tools for a platform and returns their paths.
func (r *release) compile(folder, system, machine string) (programs []string, err error) {
	suffix := ""
	if system == "windows" {
		suffix = ".exe"
	}
	for _, tool := range tools {
		path := filepath.Join(folder, tool+suffix)
		cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -X ptogo/internal/version.commit="+r.commit, "-o", path, "./cmd/"+tool)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+machine)
		cmd.Stderr = os.Stderr
		if err := cmd.Run(); err != nil {
			return nil, fmt.Errorf("go build of %s for %s/%s: %w", tool, system, machine, err)
		}
		programs = append(programs, path)
	}
	return programs, nil
}

// output runs a command and returns its output without the final newline.
func output(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	var messages strings.Builder
	cmd.Stderr = &messages
	text, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, messages.String())
	}
	return strings.TrimSpace(string(text)), nil
}
