// This file implements the options about public versions of ptoas.

package opt

import (
	"errors"

	"github.com/spf13/pflag"

	"ptogo/dialect/pto/history"
	"ptogo/ir"
	"ptogo/lower/bufferize"
	"ptogo/lower/plan"
	"ptogo/lower/version"
)

// versionFlags are the options that select a public version of ptoas.
type versionFlags struct {
	// from is the version that the input must be written for, and to the version that the
	// output is written for. Each is empty if the user has not named it.
	from, to string
	// upgrade requests the newest version for the output.
	upgrade bool
	// imitated is the version that --version prints under the name ptoas.
	imitated string
}

// define adds the options to fs.
func (f *versionFlags) define(fs *pflag.FlagSet) {
	fs.StringVar(&f.from, "pto-version", "", "report what version `V` of ptoas, such as 0.57, does not have. The default is to read all versions. With --fix, the edits write today's form")
	fs.StringVar(&f.to, "downgrade", "", "write the program for version `V` of ptoas: replace what V does not have, or report an error. Comments of the program are lost")
	fs.StringVar(&f.imitated, "ptoas-version", "", "let --version print version `V` of ptoas under the name ptoas. The default is the environment variable "+ptoasVersionVar+", else the newest version that is known")
	fs.BoolVar(&f.upgrade, "upgrade", false, "write the program for the newest version of ptoas that is known. Comments of the program are lost")
}

// check checks the options. The parameter pipeline is the option --pass-pipeline.
func (f *versionFlags) check(pipeline string) error {
	for _, text := range []string{f.from, f.to} {
		if text == "" {
			continue
		}
		v, err := history.Parse(text)
		if err != nil {
			return err
		}
		if v.Less(history.First()) || history.Last().Less(v) {
			return errors.New("version " + v.String() + " of ptoas is not known: expected " + history.First().String() + " to " + history.Last().String())
		}
	}
	switch {
	case f.to != "" && f.upgrade:
		return errors.New("--upgrade and --downgrade exclude each other")
	case pipeline != "" && (f.to != "" || f.upgrade):
		return errors.New("--upgrade and --downgrade cannot be combined with --pass-pipeline: end the pipeline with pto-to-version")
	}
	return nil
}

// read checks a program that has just been read. It returns false after an error.
func (f *versionFlags) read(module *ir.Op, diags *ir.Diags) bool {
	if f.from == "" {
		return true
	}
	v, _ := history.Parse(f.from) // checked before
	return version.CheckText(module, v, diags)
}

// steps adds the passes that write the program for a version. ptoas reads no tile values,
// so they become buffers. Versions that require scratch tiles get those that the compiler
// can place.
func (f *versionFlags) steps(steps []passStep, level string) []passStep {
	switch {
	case f.upgrade:
		return append(steps, passStep{pass: version.Pass, asked: "--upgrade"})
	case f.to != "":
		v, _ := history.Parse(f.to) // checked before
		if !hasStep(steps, bufferize.Bufferize) {
			steps = append(steps, passStep{pass: bufferize.Bufferize, asked: "--downgrade"})
		}
		if len(history.Required("pto.trowsum", v)) > 0 && level != "level3" && !hasStep(steps, plan.MaterializeScratch) {
			steps = append(steps, passStep{pass: plan.MaterializeScratch, asked: "--downgrade"})
		}
		return append(steps, passStep{pass: version.Pass, options: "version=" + f.to, asked: "--downgrade"})
	}
	return steps
}

// ptoasVersionVar is the environment variable with the version that ptoas --version prints.
const ptoasVersionVar = "PTOGO_PTOAS_VERSION"
