package playground

// Names for the tests, which are in a package of their own because package cli imports this
// one.
type (
	AnalyseRequest = analyseRequest
	RunRequest     = runRequest
	PassesRequest  = passesRequest
	EmitRequest    = emitRequest
	Failure        = failure
)
