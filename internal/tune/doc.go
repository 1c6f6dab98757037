// Package tune searches for the parameters of a kernel with the shortest predicted time.
//
// A [Space] describes the kernel as a template with parameters, the values of each
// parameter, and constraints. [Search] predicts the time of each candidate with the timing
// model, on problem sizes that grow from round to round; a share of the candidates reaches
// the next round. It then executes the best candidates and compares them with a
// reference. docs/tuning.md explains the use.
//
//	expr.go      integer expressions over parameters
//	template.go  templates with expressions
//	space.go     the description of a search, and its candidates
//	predict.go   compiles one candidate and predicts its memory and time
//	search.go    rounds, results of earlier searches
//	confirm.go   execution and comparison of the best candidates
//	report.go    the table and the picture
package tune
