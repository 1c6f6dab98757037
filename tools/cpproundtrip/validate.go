package cpproundtrip

import (
	"bytes"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ptogo/internal/cli"
	"ptogo/internal/cli/exit"
	"ptogo/internal/data"
	"ptogo/ir"
	"ptogo/kernel"
)

// The outcomes of Validate, besides NotRead and NotWritten. A launch is EquivalentFor the
// data of some inputs if addresses or branches depend on these inputs.
const (
	Equivalent    Outcome = "equivalent"
	EquivalentFor Outcome = "equivalent for given data"
	Differs       Outcome = "differs"
	NotDecided    Outcome = "not decided"
	Proved        Outcome = "proved"
	NotVerified   Outcome = "not verified"
)

// Validate writes the program in the file path as C++, and checks the C++ by the commands
// that docs/ptoas-check.md gives to users. The cases of proofs are the verdicts of pto-run
// --equivalent, one for each launch, and those of syncs the verdict of pto-opt
// --verify-sync=strict. The arguments of launches are found by trial.
func Validate(path string) (proofs, syncs []Case, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	p := &Program{Name: path, Text: string(text)}
	launches, _ := p.choose(p.Text)
	if len(launches) == 0 {
		return []Case{{path, "", NotRun, "the program is not legal or has no kernel"}}, nil, nil
	}
	dir, err := os.MkdirTemp("", "cpproundtrip")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(dir)
	compiled := filepath.Join(dir, "kernel.cpp")
	_, errs, code := command(cli.Opt, "--emit=cpp", "--pto-arch="+p.Arch, path, "-o", compiled)
	for _, l := range launches {
		c := Case{path, l, NotWritten, firstLine(errorIn(errs))}
		if code == 0 {
			c.Outcome, c.Reason = p.equivalent(l, compiled)
		}
		proofs = append(proofs, c)
	}
	if code != 0 {
		return proofs, nil, nil
	}
	sync := Case{Program: path, Launch: strings.Join(launches, " "), Outcome: Proved}
	_, errs, code = command(cli.Opt, "--pto-arch="+p.Arch, "--verify-sync=strict", compiled, "-o", os.DevNull)
	switch code {
	case exit.OK:
	case exit.Check:
		sync.Outcome, sync.Reason = NotVerified, syncReason(errs)
	default:
		sync.Outcome, sync.Reason = NotRead, firstLine(errorIn(errs))
	}
	return proofs, []Case{sync}, nil
}

// equivalent returns the verdict of pto-run --equivalent for the launch of the program.
func (p *Program) equivalent(launch, compiled string) (Outcome, string) {
	prog, err := kernel.Load(p.source(), kernel.Options{Arch: p.Arch, Kernel: launch})
	if err != nil {
		return NotRun, firstLine(err.Error())
	}
	random := data.MadeUp(prog)
	var outcome Outcome
	var reason string
	for _, integers := range []string{"rand", "zeros", "ones"} {
		specs := slices.Clone(random)
		for i, q := range prog.Params() {
			if f, _ := ir.FormatOf(ir.ElementType(q.Type)); integers != "rand" && q.IsPointer() && f.IsInt() {
				specs[i] = filled(specs[i], integers)
			}
		}
		if outcome, reason = p.verdict(prog, launch, compiled, specs); outcome != NotDecided || !strings.Contains(reason, " ends with a fault: ") {
			break
		}
	}
	return outcome, reason
}

// filled replaces random numbers in the description of an array by other contents.
func filled(spec, contents string) string {
	return contents + "=" + strings.Split(strings.TrimPrefix(spec, "rand="), ",")[0]
}

// verdict is equivalent for given arguments. If addresses or branches depend on the
// contents of parameters, the verdict assumes zeros in them: random numbers are rarely
// addresses.
func (p *Program) verdict(prog *kernel.Program, launch, compiled string, specs []string) (Outcome, string) {
	assumed := map[string]bool{}
	for {
		args := []string{p.Name, "--pto-arch=" + p.Arch, "--kernel=" + launch, "--equivalent=" + compiled}
		for _, spec := range specs {
			args = append(args, "--arg="+spec)
		}
		if len(assumed) > 0 {
			args = append(args, "--assume-inputs="+strings.Join(slices.Sorted(maps.Keys(assumed)), ","))
		}
		out, errs, code := command(cli.Run, args...)
		switch {
		case code == exit.OK && len(assumed) > 0:
			return EquivalentFor, ""
		case code == exit.OK:
			return Equivalent, ""
		case code == exit.Compare:
			return Differs, firstLine(strings.TrimPrefix(out, "differs: "))
		case code == exit.Check:
			_, names, _ := strings.Cut(out, "write --assume-inputs ")
			names, _, _ = strings.Cut(names, "\n")
			more := false
			for i, q := range prog.Params() {
				if !assumed[q.Name] && slices.Contains(strings.Split(names, ","), q.Name) {
					assumed[q.Name], more = true, true
					if strings.HasPrefix(specs[i], "rand=") {
						specs[i] = filled(specs[i], "zeros")
					}
				}
			}
			if !more {
				return NotDecided, firstLine(strings.TrimPrefix(out, "not decided: "))
			}
		case strings.Contains(errs, "kernel.cpp"):
			return NotRead, firstLine(errorIn(errs))
		default:
			return NotRun, firstLine(errorIn(errs))
		}
	}
}

// syncReason returns the first hazard that --verify-sync printed, or else the first doubt.
func syncReason(printed string) string {
	doubt := firstLine(printed)
	for l := range strings.Lines(printed) {
		if _, text, ok := strings.Cut(l, "error: [race] "); ok {
			return strings.TrimSpace(text)
		}
		if _, text, ok := strings.Cut(l, "[sync] not decided: "); ok && !strings.HasPrefix(doubt, "not decided: ") {
			doubt = "not decided: " + strings.TrimSpace(text)
		}
	}
	return doubt
}

// command runs a tool and returns what it prints, and its exit code.
func command(tool func([]string, io.Reader, io.Writer, io.Writer) int, args ...string) (out, errs string, code int) {
	var stdout, stderr bytes.Buffer
	code = tool(args, strings.NewReader(""), &stdout, &stderr)
	return stdout.String(), stderr.String(), code
}
