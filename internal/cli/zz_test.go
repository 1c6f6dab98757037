package cli
import ("testing";"os";"io";"strings")
func TestZZ(t *testing.T) { f:=os.Getenv("ZZ"); if f=="" {t.Skip()}; t.Log(Opt(strings.Fields(f), strings.NewReader(""), io.Discard, os.Stderr)) }
