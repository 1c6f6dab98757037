// Package clitest has programs and helpers that the tests of several tools use.
package clitest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Divide is an example that divides a tile by a scalar.
const Divide = "../../../examples/divide.pto"

// Floats returns the bytes of f32 elements.
func Floats(vs ...float32) []byte {
	var b bytes.Buffer
	binary.Write(&b, binary.LittleEndian, vs)
	return b.Bytes()
}

// LongText is a program of more than n bytes.
func LongText(n int) string {
	return "func.func @k() attributes {pto.kernel} {\n return\n}\n" + strings.Repeat("// 0123456789012345678901234567890123456789012345678901234567890\n", n/64)
}

// EndlessLoads is a kernel that executes until it is stopped.
const EndlessLoads = `module attributes {pto.target_arch = "a5"} {
func.func @k(%p: !pto.ptr<f32>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %many = arith.constant 1000000000000 : index
  scf.for %i = %c0 to %many step %c1 {
    %x = pto.load_scalar %p[%c0] : !pto.ptr<f32> -> f32
    pto.store_scalar %x, %p[%c0] : !pto.ptr<f32>, f32
  }
  return
}
}
`

// Endless prints and then never returns.
const Endless = `func.func @endless(%n: i32) attributes {pto.kernel} {
  %true = arith.constant true
  pto.print ins("started %d\0A", %n : i32)
  scf.while : () -> () {
    scf.condition(%true)
  } do {
    scf.yield
  }
  return
}
`

// Longer are times for what should have begun when they are over. On a busy
// machine it takes one of the longer ones.
var Longer = []time.Duration{50 * time.Millisecond, 2 * time.Second, time.Minute}

// Written writes a file for a test and returns its path.
func Written(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// CommandsOf returns the pto-run commands that the comment at the top of a file shows.
func CommandsOf(t testing.TB, path string) (commands [][]string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	open := false
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(strings.TrimPrefix(line, "//"))
		if !strings.HasPrefix(line, "//") || !open && (len(words) == 0 || words[0] != "pto-run") {
			open = false
			continue
		}
		if !open {
			commands, words = append(commands, nil), words[1:]
		}
		last := len(commands) - 1
		open = len(words) > 0 && words[len(words)-1] == "\\"
		if open {
			words = words[:len(words)-1]
		}
		commands[last] = append(commands[last], words...)
	}
	return commands
}

// Lines returns n lines, each of which is the result of formatting its number.
func Lines(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format+"\n", i)
	}
	return b.String()
}

// AllReduce is an example that two ranks execute.
const AllReduce = "../../../examples/ranks/all_reduce.pto"
