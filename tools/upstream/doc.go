// Package upstream reads from the public repository of ptoas which constructs each of its
// versions has. The definitions of the dialect are in TableGen, so llvm-tblgen reads them;
// no code of the repository is built or run. The command tools/upstream/gen writes the
// table of package history from the result.
package upstream
