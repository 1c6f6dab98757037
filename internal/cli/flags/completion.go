// This file writes completion scripts for shells.

package flags

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/report"
)

// completion returns a script with which a shell completes the options of a tool, and
// their keywords. Other words are completed as file names. A user loads the script like
// this:
//
//	source <(pto-opt --completion=bash)
//
// The map words lists the words that some options of the tool accept, by option.
func completion(shell, tool string, fs *pflag.FlagSet, words map[string][]string) (string, error) {
	offer(fs, words)
	switch shell {
	case "bash":
		return bashCompletion(tool, fs), nil
	case "zsh":
		return zshCompletion(tool, fs), nil
	case "fish":
		return fishCompletion(tool, fs), nil
	case "man":
		return manPage(tool, fs), nil
	}
	return "", fmt.Errorf("unknown shell '%s' for --completion: expected %s or man", shell, strings.Join(shells, ", "))
}

// PrintCompletion implements option --completion: it prints the completion script for a
// shell, or the manual page. The map words lists the words that some options of the tool
// accept, by option.
func PrintCompletion(s *report.Streams, shell string, fs *pflag.FlagSet, words map[string][]string) int {
	script, err := completion(shell, s.Tool, fs, words)
	if err != nil {
		return s.Usage("%v", err)
	}
	fmt.Fprint(s.Out, script)
	return exit.OK
}

// kernelFlag is the option whose value is the name of a kernel in the program file.
// Shells complete it from the file.
const kernelFlag = "kernel"

// choices is the key of the pflag annotation that lists the words which an option
// accepts.
const choices = "choices"

// shells are the shells for which --completion prints a script. The option also accepts
// man, for a manual page.
var shells = []string{"bash", "zsh", "fish"}

// commonWords are the words that options of several tools accept.
var commonWords = map[string][]string{
	"pto-arch": {"a2", "a3", "a5"}, "completion": append(slices.Clone(shells), "man"), "diagnostics": report.DiagFormats, "color": report.ColorModes,
}

// offer attaches a list of words to each option that accepts only certain words. Shells
// can then complete the values of these options. The map words lists those that only this
// tool accepts, by option.
func offer(fs *pflag.FlagSet, words map[string][]string) {
	visible(fs, func(f *pflag.Flag) {
		if w := slices.Concat(commonWords[f.Name], words[f.Name]); len(w) > 0 {
			f.Annotations = map[string][]string{choices: w}
		}
	})
}

// bashScript is the format string of the completion script for bash. Its arguments are
// the name of the shell function, the cases for options with keywords, the options, and
// the name of the tool.
const bashScript = `%[1]s() {
  local word=${COMP_WORDS[COMP_CWORD]} flag=${COMP_WORDS[COMP_CWORD-1]} IFS=$'\n'
  if [[ $word == = ]]; then
    word=
  elif [[ $flag == = ]]; then
    flag=${COMP_WORDS[COMP_CWORD-2]}
  fi
  case $flag in
%[2]s  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W $'%[3]s' -- "$word"))
    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace
  else
    COMPREPLY=($(compgen -f -- "$word"))
    compopt -o filenames
  fi
}
complete -F %[1]s %[4]s
`

// bashCompletion returns the completion script of a tool for bash.
func bashCompletion(tool string, fs *pflag.FlagSet) string {
	var flags []string
	var cases strings.Builder
	visible(fs, func(f *pflag.Flag) {
		flags = append(flags, longFlag(f))
		if f.Name == kernelFlag {
			fmt.Fprintf(&cases, "    --%s) COMPREPLY=($(compgen -W \"$(%s --list-kernels \"$(printf '%%s\\n' \"${COMP_WORDS[@]}\" | grep -m1 '[.]\\(pto\\|mlir\\)$')\" 2>/dev/null)\" -- \"$word\")); return;;\n", f.Name, tool)
			return
		}
		if words := f.Annotations[choices]; len(words) > 0 {
			fmt.Fprintf(&cases, "    --%s) COMPREPLY=($(compgen -W $'%s' -- \"$word\")); return;;\n", f.Name, strings.Join(words, `\n`))
		}
	})
	return fmt.Sprintf(bashScript, functionName(tool), cases.String(), strings.Join(flags, `\n`), tool)
}

// zshScript is the format string of the completion script for zsh. Its arguments are the
// name of the shell function, the descriptions of the options, and the name of the tool.
const zshScript = `#compdef %[3]s
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
%[1]s() {
  _arguments \
%[2]s    '*:file:_files'
}
if [[ $funcstack[1] == _%[3]s ]]; then
  %[1]s "$@"
else
  compdef %[1]s %[3]s
fi
`

func zshCompletion(tool string, fs *pflag.FlagSet) string {
	var specs strings.Builder
	visible(fs, func(f *pflag.Flag) {
		about := zshQuote.Replace(aboutFlag(f))
		action := ""
		if f.NoOptDefVal == "" {
			action = ":" + f.Name + ":_files"
			if f.Name == kernelFlag {
				action = fmt.Sprintf(":%s:{compadd -- $(%s --list-kernels ${(M)words\\:#*.(pto|mlir)} 2>/dev/null)}", f.Name, tool)
			}
			if words := f.Annotations[choices]; len(words) > 0 {
				action = ":" + f.Name + ":(" + strings.Join(words, " ") + ")"
			}
		}
		fmt.Fprintf(&specs, "    '*%s[%s]%s' \\\n", longFlag(f), about, action)
		if f.Shorthand != "" {
			fmt.Fprintf(&specs, "    '*-%s[%s]%s' \\\n", f.Shorthand, about, action)
		}
	})
	return fmt.Sprintf(zshScript, functionName(tool), specs.String(), tool)
}

var zshQuote = strings.NewReplacer("'", `'\''`, "[", `\[`, "]", `\]`)

var fishQuote = strings.NewReplacer(`\`, `\\`, "'", `\'`)

func fishCompletion(tool string, fs *pflag.FlagSet) string {
	var b strings.Builder
	visible(fs, func(f *pflag.Flag) {
		fmt.Fprintf(&b, "complete -c %s -l %s", tool, f.Name)
		if f.Shorthand != "" {
			fmt.Fprintf(&b, " -s %s", f.Shorthand)
		}
		words := f.Annotations[choices]
		switch {
		case f.NoOptDefVal != "":
		case f.Name == kernelFlag:
			fmt.Fprintf(&b, " -x -a '(%s --list-kernels (commandline -opc | string match -r \".*[.](?:pto|mlir)\\$\") 2>/dev/null)'", tool)
		case len(words) > 0:
			fmt.Fprintf(&b, " -x -a '%s'", strings.Join(words, " "))
		default:
			b.WriteString(" -r -F")
		}
		fmt.Fprintf(&b, " -d '%s'\n", fishQuote.Replace(aboutFlag(f)))
	})
	return b.String()
}

// longFlag returns the text that shells insert when they complete an option: --name= if
// it requires a value, and --name if it does not.
func longFlag(f *pflag.Flag) string {
	if f.NoOptDefVal == "" {
		return "--" + f.Name + "="
	}
	return "--" + f.Name
}

// aboutFlag returns the description of an option, as --help shows it, for a completion
// script.
func aboutFlag(f *pflag.Flag) string {
	_, about := pflag.UnquoteUsage(f)
	return about
}

// functionName returns the name of the shell function that completes a tool's command
// line.
func functionName(tool string) string { return "_" + strings.ReplaceAll(tool, "-", "_") }
