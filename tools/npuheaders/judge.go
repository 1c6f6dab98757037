package npuheaders

import (
	"embed"
	"io/fs"
	"regexp"
	"strings"

	"ptogo/tools/cpptest"
)

// host contains the meaning of the intrinsics, and the main program for kernels.
//
//go:embed host
var host embed.FS

// architectures maps a profile to the number by which the NPU headers identify the chip.
var architectures = map[string]string{"a3": "2201", "a5": "3510"}

// New returns a toolchain that compiles kernels against the NPU headers of the profile, a3
// or a5. It writes files to the folder dir. cpptest.Missing is true for its error if the
// checkout of pto-isa or the compiler is missing.
func New(dir, profile string) (*cpptest.Toolchain, error) {
	files, err := fs.Sub(host, "host")
	if err != nil {
		return nil, err
	}
	return cpptest.NewToolchainFor(dir, cpptest.Host{Files: files, Include: []string{"."}, Flags: []string{
		"-std=c++20", "-O0", "-ffp-contract=off", "-fno-exceptions", "-fno-rtti", "-fno-asynchronous-unwind-tables", "-w",
		"-ferror-limit=0", "-ftemplate-backtrace-limit=0", "-fno-delete-null-pointer-checks", "-fpch-instantiate-templates",
		"-D__NPU_ARCH__=" + architectures[profile],
	}, More: slowly, Suspect: suspect})
}

// slowly returns options for programs with bfloat16_t: the fast selection of instructions
// passes a bfloat16_t that a function returned wrongly (clang 19).
func slowly(cpp string) []string {
	if strings.Contains(cpp, "bfloat16_t") {
		return []string{"-mllvm", "-fast-isel=false"}
	}
	return nil
}

// oftenRejected are cases of the classes that are rejected for a reason that the message
// alone names.
var oftenRejected = regexp.MustCompile(`pto\.tload|loc=mat|loc=acc.*valid=|\.mx|treshape`)

// suspect reports whether the compiler may reject the program of c: a known class whose
// programs do not compile has names like that of c.
func suspect(c *cpptest.Case) bool {
	if oftenRejected.MatchString(c.Name) {
		return true
	}
	for _, k := range Known {
		if k.Outcome == cpptest.Unbuilt && k.Name != "." && regexp.MustCompile(k.Name).MatchString(c.Name) {
			return true
		}
	}
	return false
}

// Profiles are the profiles whose headers are executed.
var Profiles = []string{"a3", "a5"}
