package run

import (
	"bytes"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"

	"ptogo/internal/cli/clitest"
	"ptogo/internal/cli/exit"
)

// TestTimeoutGo asks for the place where a kernel is when its time is over.
func TestTimeoutGo(t *testing.T) {
	for _, limit := range clitest.Longer {
		var out, err bytes.Buffer
		code := ptoRun([]string{"-", "--arg", "0", "--timeout=" + limit.String()}, strings.NewReader(clitest.Endless), &out, &err)
		if code != exit.Fault || !strings.Contains(err.String(), "when the launch reached its time limit of "+limit.String()+" (--timeout)") {
			t.Fatalf("exit %d, %s", code, err.String())
		}
		if strings.Contains(err.String(), "<stdin>:4:3: error: 'scf.while' op was running") {
			return
		}
	}
	t.Error("the loop has not begun in the longest of the times")
}

// TestInterrupt presses Ctrl-C when the kernel prints.
func TestInterrupt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot interrupt itself there")
	}
	var err bytes.Buffer
	code := ptoRun([]string{"-", "--arg", "0"}, strings.NewReader(clitest.Endless), &interrupting{t: t}, &err)
	const want = "<stdin>:4:3: error: 'scf.while' op was running when the launch was interrupted"
	if code != exit.Fault || !strings.Contains(err.String(), want) {
		t.Errorf("exit %d, %s", code, err.String())
	}
}

// TestInterruptScript presses Ctrl-C while a script computes references.
func TestInterruptScript(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot interrupt itself there")
	}
	t.Setenv("PYTHON", "sh")
	script := clitest.Written(t, "ref.py", "echo started; exec sleep 60\n")
	out := &interrupting{t: t}
	code := ptoRun([]string{"-", "--arg", "zeros=8xf32", "--diff-ref", script}, strings.NewReader(clitest.EndlessLoads), io.Discard, out)
	if text := out.text.String(); code != exit.Usage || !strings.Contains(text, "the script was interrupted") {
		t.Errorf("exit %d, %s", code, text)
	}
}

// interrupting is a writer that presses Ctrl-C once: a second time would end the process.
type interrupting struct {
	t    *testing.T
	once sync.Once
	text bytes.Buffer
}

func (w *interrupting) Write(b []byte) (int, error) {
	w.once.Do(func() {
		self, err := os.FindProcess(os.Getpid())
		if err == nil {
			err = self.Signal(os.Interrupt)
		}
		if err != nil {
			w.t.Error(err)
		}
	})
	return w.text.Write(b)
}
