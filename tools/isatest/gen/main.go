// The command gen runs the device tests of pto-isa and writes the page about them.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"ptogo/tools/isatest"
)

func main() {
	root := flag.String("isa", os.Getenv("PTO_ISA"), "checkout of pto-isa")
	arch := flag.String("arch", "a3", "profile: a3 or a5")
	match := flag.String("folders", ".", "regular expression for names of folders")
	work := flag.String("work", filepath.Join(os.TempDir(), "isatest"), "folder for data")
	python := flag.String("python", "python3", "the Python that runs gen_data.py; it needs numpy")
	workers := flag.Int("j", 2, "folders to run at the same time")
	verbose := flag.Bool("v", false, "print every case that does not pass")
	table := flag.String("table", "", "write the cases to this table of tab-separated columns; it keeps its rows of folders that are not run")
	resume := flag.Bool("resume", false, "run only folders of which the table has no rows")
	page := flag.String("page", "", "write the page of the documentation to this file; the arguments are tables, as a3=FILE")
	note := flag.String("note", "", "with -page: date, machine and checkout, as a paragraph")
	flag.Parse()
	err := error(nil)
	if *page != "" {
		err = writePage(*page, *note, flag.Args())
	} else {
		s := isatest.Suite{Root: *root, Arch: *arch, Work: *work, Python: *python}
		err = run(s, *match, *workers, *verbose, *table, *resume)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// writePage writes the page about tables of earlier runs.
func writePage(path, note string, tables []string) error {
	cases := map[string][]isatest.Case{}
	var profiles []string
	for _, t := range tables {
		profile, file, _ := strings.Cut(t, "=")
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if cases[profile], err = isatest.ReadTable(string(text)); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		profiles = append(profiles, profile)
	}
	return os.WriteFile(path, []byte(isatest.Page(profiles, cases, note)), 0o644)
}

// run runs the folders whose names match, and prints the results. It writes the table after
// each folder, so that a run that was stopped can continue.
func run(s isatest.Suite, match string, workers int, verbose bool, table string, resume bool) error {
	folders, err := s.Folders()
	if err != nil {
		return err
	}
	re, err := regexp.Compile(match)
	if err != nil {
		return err
	}
	var known []isatest.Case
	if text, err := os.ReadFile(table); err == nil {
		if known, err = isatest.ReadTable(string(text)); err != nil {
			return fmt.Errorf("%s: %w", table, err)
		}
	}
	var wg sync.WaitGroup
	var lock sync.Mutex
	var all []isatest.Case
	var failed error
	names := make(chan string)
	for range workers {
		wg.Go(func() {
			for name := range names {
				start := time.Now()
				cases := s.Run(name)
				lock.Lock()
				all = append(all, cases...)
				known = append(slices.DeleteFunc(known, func(c isatest.Case) bool { return c.Folder == name }), cases...)
				fmt.Println(isatest.Summary(name, cases), time.Since(start).Round(100*time.Millisecond))
				for _, c := range cases {
					if verbose && c.Outcome != isatest.Passed {
						fmt.Printf("  %s.%s: %s: %s\n", c.Suite, c.Name, c.Outcome, c.Reason)
					}
				}
				if table != "" {
					isatest.Sort(known)
					failed = cmp.Or(failed, os.WriteFile(table, []byte(isatest.Table(known)), 0o644))
				}
				lock.Unlock()
			}
		})
	}
	done := map[string]bool{}
	for _, c := range known {
		done[c.Folder] = resume
	}
	for _, name := range folders {
		if re.MatchString(name) && !done[name] {
			names <- name
		}
	}
	close(names)
	wg.Wait()
	isatest.Sort(all)
	fmt.Print(isatest.Report(all))
	return failed
}
