package cpproundtrip

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/internal/data"
	"ptogo/ir"
	"ptogo/kernel"
)

// Files returns the programs below the folders, sorted by name.
func Files(folders ...string) ([]string, error) {
	var all []string
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() && filepath.Ext(path) == ".pto" {
				all = append(all, path)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(all)
	return all, nil
}

// Program is a program in PTO IR, with the profile a2, a3 or a5 for which it is written as
// C++.
type Program struct{ Name, Text, Arch string }

// split divides the text of a file into the programs that its test reads separately.
func split(path, text string) []*Program {
	pieces := []string{text}
	if strings.Contains(text, "--split-input-file") {
		pieces = regexp.MustCompile(`(?m)^// -----.*\n`).Split(text, -1)
	} else if strings.Contains(text, "RUN: split-file") {
		pieces = regexp.MustCompile(`(?m)^//--- .*\n`).Split(text, -1)
	}
	var all []*Program
	for i, p := range pieces {
		name := path
		if len(pieces) > 1 {
			name += "#" + strconv.Itoa(i)
		}
		all = append(all, &Program{Name: name, Text: p})
	}
	return all
}

var archOption = regexp.MustCompile(`--pto-arch[= ](a2|a3|a5)`)

// profiles returns the profiles to try for a program: that which it names, those with
// which its test runs it, and then both.
func profiles(file, text string) []string {
	if m := regexp.MustCompile(`pto\.target_arch = "(\w+)"`).FindStringSubmatch(text); m != nil {
		return []string{m[1]}
	}
	var all []string
	for _, m := range archOption.FindAllStringSubmatch(file, -1) {
		all = append(all, m[1])
	}
	return append(all, "a3", "a5")
}

// choose parses the program for the first profile on which it is legal, and returns the
// names of its launches, and those of functions whose parameters a host cannot pass. It
// returns nil if the program is not legal or has no kernel.
func (p *Program) choose(file string) (launches, others []string) {
	for _, arch := range profiles(file, p.Text) {
		var diags ir.Diags
		module := kernel.Parse(p.source(), ir.ParseOptions{}, &diags)
		if module == nil || kernel.SetTarget(module, arch) != nil {
			return nil, nil
		}
		target, _ := sem.ParseProfile(arch)
		if !ir.Verify(module, ir.VerifyOptions{Target: target, Features: kernel.Options{}.Features()}, &diags) {
			continue
		}
		p.Arch = arch
		for _, l := range launchesOf(module, file) {
			if launchable(module, l) {
				launches = append(launches, l)
			} else {
				others = append(others, l)
			}
		}
		return launches, others
	}
	return nil, nil
}

var kernelOption = regexp.MustCompile(`--kernel[= ](\w+,\w+)`)

// launchesOf returns the launches of a module: pairs of kernels that a test launches
// together, and the others.
func launchesOf(module *ir.Op, file string) []string {
	var names, pairs []string
	for _, f := range fn.Functions(module) {
		names = append(names, fn.Name(f))
	}
	for _, m := range kernelOption.FindAllStringSubmatch(file, -1) {
		a, b, _ := strings.Cut(m[1], ",")
		if slices.Contains(names, a) && slices.Contains(names, b) && !slices.Contains(pairs, m[1]) {
			pairs = append(pairs, m[1])
		}
	}
	for _, l := range data.Launches(module) {
		paired := slices.ContainsFunc(pairs, func(p string) bool { return slices.Contains(strings.Split(p, ","), strings.Split(l, ",")[0]) })
		if !paired {
			pairs = append(pairs, l)
		}
	}
	return pairs
}

// launchable reports whether the host can launch the kernels: it can pass numbers and
// pointers to global memory, but no tiles and views.
func launchable(module *ir.Op, launch string) bool {
	for _, f := range fn.Functions(module) {
		if !slices.Contains(strings.Split(launch, ","), fn.Name(f)) {
			continue
		}
		ins, outs := fn.TypeOf(f)
		for _, t := range ins {
			_, number := ir.FormatOf(t)
			if p, ok := t.Data().(pto.PtrType); !number && t != ir.Index && !(ok && p.Space == sem.GM) && !ir.Is[ir.MemRefType](t) {
				return false
			}
		}
		if len(outs) > 0 {
			return false
		}
	}
	return true
}

// source returns the program as a source. A program in PTO-AS has the name of the file.
func (p *Program) source() *ir.Source {
	name, _, _ := strings.Cut(p.Name, "#")
	return &ir.Source{Name: name, Text: p.Text}
}
