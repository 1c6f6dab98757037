package npuheaders

import (
	"embed"
	"io/fs"

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
		"-std=c++20", "-O0", "-ffp-contract=off", "-w", "-ferror-limit=0", "-ftemplate-backtrace-limit=0", "-fno-delete-null-pointer-checks",
		"-D__NPU_ARCH__=" + architectures[profile],
	}})
}

// Profiles are the profiles whose headers are executed.
var Profiles = []string{"a3", "a5"}
