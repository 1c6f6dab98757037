// This file produces the header against which kernels are compiled.

package cpp

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	cppout "ptogo/codegen/cpp"
	"ptogo/dialect/pto"
	"ptogo/internal/temporary"
	"ptogo/ir"
)

//go:embed include/pto/pto-inst.hpp
var mainHeader string

//go:embed include/pto/ptogo_kernels.hpp
var kernelsHeader string

//go:embed include/pto/ptogo_mpipe.hpp
var mpipeHeader string

//go:embed include/pto/ptogo_vector.hpp
var vectorHeaderText string

//go:embed include/pto/ptogo_async.hpp
var asyncHeader string

//go:embed include/pto/ptogo_host.hpp
var hostHeader string

//go:embed include/pto/ptogo_ascendc.hpp
var ascendcHeader string

// headerFolder is the name of the folder with the header. Source positions in files below
// it are not positions of the user.
const headerFolder = "ptogo-include"

// standIns are public headers whose content is in the main header.
var standIns = list(`pto/common/arch_macro.hpp pto/common/buffer_limits.hpp pto/common/constants.hpp pto/common/cpu_stub.hpp pto/common/debug.h
	pto/common/event.hpp pto/common/fifo.hpp pto/common/fixpipe.hpp pto/common/memory.hpp pto/common/pto_instr.hpp pto/common/pto_tile.hpp pto/common/type.hpp
	pto/common/utils.hpp pto/common/syncall_soft.hpp pto/common/kernel_meta.hpp pto/npu/a2a3/MGather.hpp pto/npu/a2a3/MScatter.hpp pto/npu/a2a3/TStore.hpp
	pto/npu/a2a3/TSort32.hpp pto/npu/a2a3/TQuant.hpp pto/npu/a2a3/TLoad.hpp pto/npu/a2a3/TAssign.hpp pto/npu/a5/TStore.hpp pto/npu/a5/TQuant.hpp pto/npu/a5/TLoad.hpp pto/npu/a5/TInsert.hpp
	pto/comm/pto_comm_inst.hpp pto/comm/comm_types.hpp pto/comm/async/sdma/sdma_types.hpp
	pto/comm/async/urma/urma_async_intrin.hpp pto/npu/a5/TMov.hpp pto/npu/a5/MGather.hpp pto/npu/a5/MScatter.hpp
	pto/npu/kernels/Pto_prefetch.hpp pto/npu/a2a3/custom/TSyncCVID.hpp pto/npu/a2a3/custom/TSync_Custom.hpp pto/npu/a5/custom/TSyncCVID.hpp
	pto/npu/a5/custom/TSync_Custom.hpp`)

// hostStandIns are headers of the runtime, for the host.
var hostStandIns = list(`acl/acl.h runtime/rt.h runtime/rt_ffts.h hccl/hccl.h hccl/hccl_comm.h hccl/hccl_types.h
	pto/comm/async/sdma/sdma_workspace_manager.hpp pto/comm/async/urma/urma_workspace_manager.hpp`)

// entry is a function of the library, with the instructions for which it is called.
type entry struct {
	def     *ir.Def
	form    *ir.Form
	pattern cppout.Pattern
}

// entries maps the names of the functions of the library to the instructions for which
// codegen/cpp calls them. A function that is the first choice of an instruction is read as
// this instruction, although others may call it too: TMATMUL is tmatmul, not the tgemv whose
// row is in a tile with more rows.
var entries = sync.OnceValue(func() map[string][]entry {
	all, others := map[string][]entry{}, map[string][]entry{}
	for _, d := range pto.Dialect.All() {
		info := pto.InfoOf(d)
		if info == nil || info.Group != "tile" || info.Cpp.None != "" {
			continue
		}
		for _, f := range d.Forms {
			if f.Level != ir.DPS {
				continue
			}
			patterns := cppout.Patterns(d, f)
			for _, p := range patterns {
				to := all
				if p.Name != patterns[0].Name {
					to = others
				}
				to[p.Name] = append(to[p.Name], entry{d, f, p})
			}
		}
	}
	for name, list := range others {
		if all[name] == nil {
			all[name] = list
		}
	}
	return all
})

// Instructions returns the instructions for which C++ calls the function of the library
// with the given name.
func Instructions(name string) []*ir.Def {
	var all []*ir.Def
	for _, e := range entries()[strings.TrimSuffix(name, "_IMPL")] {
		if !slices.Contains(all, e.def) {
			all = append(all, e.def)
		}
	}
	return all
}

// furtherNames are functions that call.go converts without a template, and those that
// have no counterpart yet, so that a kernel that calls them gets an error at the call.
var furtherNames = list(`TSTORE_FP TMOV_FP TEXTRACT_FP TINSERT_FP TFILLPAD_INPLACE TFILLPAD_EXPAND SYNCALL TPREFETCH TPRINT MGATHER
	TGET_SCALE_ADDR TRANDOM TQUANT TADD TSUB TADDS TSUBS TTRANS_CONV TADDC TSUBC TADDSC TSUBSC`)

// ownNames are functions that the header itself defines.
var ownNames = list("TIMG2COL SETFMATRIX SET_IMG2COL_RPT SET_IMG2COL_PADDING MAKE_FMATRIX_CONFIG TASSIGN TRESHAPE TSYNC TSUBVIEW TALLOC TPUSH TPOP TFREE TPREFETCH_ASYNC")

// instructionNames returns the sorted names of all instructions that the header declares.
func instructionNames() []string {
	var names []string
	for name := range entries() {
		if strings.ToUpper(name) == name && !slices.Contains(ownNames, name) {
			names = append(names, name)
		}
	}
	names = append(names, furtherNames...)
	slices.Sort(names)
	return slices.Compact(names)
}

// instructionsHeader returns the C++ text that declares all instructions.
func instructionsHeader() string {
	var b strings.Builder
	for _, name := range instructionNames() {
		b.WriteString("PTOGO_INSTRUCTION(" + name + ")\n#define " + name + "_IMPL " + name + "\n")
	}
	return b.String()
}

// assertHeader replaces <cassert>: an assertion that fails stops the kernel.
const assertHeader = `extern "C" void ptogo_trap() noexcept;
#undef assert
#ifdef NDEBUG
#define assert(...) ((void)0)
#else
#define assert(...) ((__VA_ARGS__) ? (void)0 : ptogo_trap())
#endif
`

// headerFiles returns the texts of the header and its stand-ins by their names.
var headerFiles = sync.OnceValue(func() map[string]string {
	files := map[string]string{
		"pto/pto-inst.hpp": mainHeader, "pto/ptogo_enums.inc": enumsHeader(), "pto/ptogo_instructions.inc": instructionsHeader(), "pto/ptogo_vector.inc": vectorHeader(),
		"pto/ptogo_mpipe.hpp": mpipeHeader, "pto/ptogo_vector.hpp": vectorHeaderText, "pto/ptogo_async.hpp": asyncHeader, "pto/ptogo_kernels.hpp": kernelsHeader, "pto/ptogo_host.hpp": hostHeader, "kernel_operator.h": ascendcHeader, "lib/matmul_intf.h": "#include \"kernel_operator.h\"\n",
	}
	for _, name := range standIns {
		files[name] = "#pragma once\n#include \"pto/pto-inst.hpp\"\n"
	}
	for _, name := range hostStandIns {
		files[name] = "#pragma once\n#include \"pto/pto-inst.hpp\"\n#include \"pto/ptogo_host.hpp\"\n"
	}
	for _, name := range []string{"cassert", "assert.h"} {
		files[name] = assertHeader
	}
	return files
})

// headerVersion returns a name for the content of the header and its stand-ins.
var headerVersion = sync.OnceValue(func() string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(headerFiles())) {
		fmt.Fprintf(h, "%s %d:%s\n", name, len(headerFiles()[name]), headerFiles()[name])
	}
	return hex.EncodeToString(h.Sum(nil))[:24]
})

// keptHeader returns the folder of the header in the cache, which it writes if the cache
// has no header of this version. Without a cache it writes the header below the folder dir.
func keptHeader(dir string) (string, error) {
	folder := cacheFolder()
	if folder == "" {
		return writeHeader(dir)
	}
	kept := filepath.Join(folder, "include-"+headerVersion())
	if _, err := os.Stat(kept); err == nil {
		return filepath.Join(kept, headerFolder), nil
	}
	if os.MkdirAll(folder, 0o755) != nil {
		return writeHeader(dir)
	}
	part, remove, err := temporary.Folder(folder, "new-")
	if err != nil {
		return writeHeader(dir)
	}
	defer remove()
	if _, err := writeHeader(part); err != nil {
		return writeHeader(dir)
	}
	if err := os.Rename(part, kept); err != nil { // another process was faster
		if _, err := os.Stat(kept); err != nil {
			return writeHeader(dir)
		}
	}
	return filepath.Join(kept, headerFolder), nil
}

// writeHeader writes the header and its stand-ins below the folder dir, and returns the
// folder for the option -I.
func writeHeader(dir string) (string, error) {
	root := filepath.Join(dir, headerFolder)
	made := map[string]bool{}
	for name, text := range headerFiles() {
		path := filepath.Join(root, filepath.FromSlash(name))
		if parent := filepath.Dir(path); !made[parent] {
			made[parent] = true
			if err := os.MkdirAll(parent, 0o755); err != nil {
				return "", err
			}
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return "", err
		}
	}
	return root, nil
}
