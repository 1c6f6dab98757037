package temporary

import "os"

// ending are the signals that end a process.
var ending = []os.Signal{os.Interrupt}
