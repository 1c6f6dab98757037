package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"
)

// completion returns a script that completes the flags of a tool in a shell;
// everything else completes as file names.
//
//	source <(pto-opt --completion=bash)
func completion(shell, tool string, fs *pflag.FlagSet) (string, error) {
	switch shell {
	case "bash":
		return bashCompletion(tool, fs), nil
	case "zsh":
		return "autoload -U +X bashcompinit && bashcompinit\n" + bashCompletion(tool, fs), nil
	case "fish":
		return fishCompletion(tool, fs), nil
	}
	return "", fmt.Errorf("unknown shell '%s' for --completion: expected bash, zsh or fish", shell)
}

// printCompletion is the --completion option.
func (s *streams) printCompletion(shell string, fs *pflag.FlagSet) int {
	script, err := completion(shell, s.tool, fs)
	if err != nil {
		return s.usage("%v", err)
	}
	fmt.Fprint(s.out, script)
	return exitOK
}

func bashCompletion(tool string, fs *pflag.FlagSet) string {
	var words []string
	fs.VisitAll(func(f *pflag.Flag) {
		word := "--" + f.Name
		if f.NoOptDefVal == "" {
			word += "="
		}
		words = append(words, word)
	})
	name := "_" + strings.ReplaceAll(tool, "-", "_")
	return fmt.Sprintf(`%[1]s() {
  local word="${COMP_WORDS[COMP_CWORD]}"
  if [[ "$word" == -* ]]; then
    COMPREPLY=($(compgen -W "%[2]s" -- "$word"))
    [[ "${COMPREPLY[0]}" == *= ]] && compopt -o nospace
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}
complete -o filenames -F %[1]s %[3]s
`, name, strings.Join(words, " "), tool)
}

func fishCompletion(tool string, fs *pflag.FlagSet) string {
	var b strings.Builder
	fs.VisitAll(func(f *pflag.Flag) {
		fmt.Fprintf(&b, "complete -c %s -l %s", tool, f.Name)
		if f.Shorthand != "" {
			fmt.Fprintf(&b, " -s %s", f.Shorthand)
		}
		if f.NoOptDefVal == "" {
			b.WriteString(" -r")
		}
		fmt.Fprintf(&b, " -d '%s'\n", strings.ReplaceAll(f.Usage, "'", `\'`))
	})
	return b.String()
}
