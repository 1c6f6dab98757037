// This file writes results as a JUnit report.

package report

import (
	"cmp"
	"encoding/xml"
	"io"

	"ptogo/ir"
)

// The XML elements of a JUnit report, as far as CI systems read them.
type (
	junitSuites struct {
		XMLName xml.Name     `xml:"testsuites"`
		Suites  []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Cases    []junitCase `xml:"testcase"`
		Output   string      `xml:"system-out,omitempty"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		File    string        `xml:"file,attr,omitempty"`
		Line    int           `xml:"line,attr,omitempty"`
		Failure *junitFailure `xml:"failure"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

// junitWriter collects a JUnit report. It has a test for each comparison, checker or
// program that the tool reports, and a failed test for each file and kind of error, with
// all errors of this kind. The names of tests therefore do not depend on the texts of
// errors, and CI systems can follow a test from run to run. Other diagnostics are the
// output of the test suite.
type junitWriter struct {
	to    io.Writer
	suite junitSuite
}

// add records a diagnostic: an error becomes a part of a failed test, and other
// diagnostics become output.
func (w *junitWriter) add(d JSONDiag) {
	if d.Severity != "error" {
		w.suite.Output += d.Rendered
		return
	}
	name := "command line"
	if d.File != "" {
		name = d.File + ": " + cmp.Or(d.Check, d.Code, "error")
	}
	for i := range w.suite.Cases {
		if c := &w.suite.Cases[i]; c.Class == w.suite.Name && c.Name == name {
			c.Failure.Text += d.Rendered
			return
		}
	}
	w.suite.Cases = append(w.suite.Cases, junitCase{
		Class: w.suite.Name, Name: name, File: d.File, Line: d.Line,
		Failure: &junitFailure{Message: d.Message, Type: d.Code, Text: d.Rendered},
	})
}

// result adds a test case to the JUnit report: the result r of a program, a comparison, a
// checker or a case of a batch. The field r.failure is the message of a failed test, and
// "" for a test that passed.
func (w *junitWriter) result(r TestResult) {
	c := junitCase{Class: w.suite.Name + "." + r.Kind, Name: ir.Visible(r.Name)}
	if r.Failure != "" {
		c.Failure = &junitFailure{Message: ir.Visible(r.Failure), Type: r.Kind}
	}
	w.suite.Cases = append(w.suite.Cases, c)
}

// write writes the complete report as XML.
func (w *junitWriter) write() error {
	s := &w.suite
	s.Tests = len(s.Cases)
	for _, c := range s.Cases {
		if c.Failure != nil {
			s.Failures++
		}
	}
	text, err := xml.MarshalIndent(junitSuites{Suites: []junitSuite{*s}}, "", "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w.to, xml.Header+string(text)+"\n")
	return err
}
