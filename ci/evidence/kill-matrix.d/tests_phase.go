package main

import (
	"errors"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"nodebound/kill_matrix/gotests"
	"nodebound/kill_matrix/rewrite"
	"nodebound/kill_matrix/suite"
	"nodebound/kill_matrix/upstream"
)

func testCatchOf(c gotests.Catch) string { return c.Fault }

// covered is a test program and what its tests meet.
type covered struct {
	program  gotests.Program
	coverage *gotests.Coverage
}

// prepare builds the test program of a package and learns what its tests meet, unless that is known.
func prepare(s *settings, pkg string, names *regexp.Regexp, limit time.Duration, faults int) (covered, error) {
	copied := upstream.Copy{Version: s.version, Module: s.file("module"), Build: s.file("build")}
	one := covered{gotests.Program{
		Package: pkg, Path: s.file("tests/" + gotests.NameOf(pkg)), Folder: filepath.Join(copied.Module, pkg),
		Limit: limit, Tools: filepath.Dir(s.etcd), Sources: copied.Trimmed(),
	}, &gotests.Coverage{}}
	if _, err := os.Stat(one.program.Path); err != nil {
		log.Printf("building the tests of %s", pkg)
		if err := copied.BuildTests(pkg, one.program.Path); err != nil {
			return one, err
		}
	}
	known := one.program.Path + ".coverage.json"
	err := readJSON(known, one.coverage)
	if !errors.Is(err, os.ErrNotExist) {
		return one, err
	}
	log.Printf("coverage of the tests of %s", pkg)
	control, err := suite.NewControl(one.program.Path+".faults", faults)
	if err != nil {
		return one, err
	}
	if one.coverage, err = one.program.Cover(names, control); err != nil {
		return one, err
	}
	return one, writeJSON(known, one.coverage)
}

// unitPhase asks the unit tests of every rewritten package, the fault's own first.
func unitPhase(s *settings) error {
	faults, err := readFaults(s)
	if err != nil {
		return err
	}
	var programs []covered
	seen := map[string]bool{}
	for _, fault := range faults {
		pkg := filepath.Dir(fault.File)
		if seen[pkg] {
			continue
		}
		seen[pkg] = true
		one, err := prepare(s, pkg, regexp.MustCompile(""), 2*time.Minute, len(faults))
		if err != nil {
			return err
		}
		programs = append(programs, one)
	}
	results, err := openLedger(s.file("unit.jsonl"), testCatchOf)
	if err != nil {
		return err
	}
	return huntTests(s, programs, faults, results, func(fault rewrite.Fault) bool {
		_, known := results.known[fault.ID]
		return !known && s.wants(fault.ID)
	})
}

func huntTests(s *settings, programs []covered, faults []rewrite.Fault, results *ledger[gotests.Catch],
	wanted func(rewrite.Fault) bool) error {
	work := make(chan int, len(faults))
	for i, fault := range faults {
		if wanted(fault) {
			work <- i
		}
	}
	close(work)
	errs := make([]error, s.workers)
	var group sync.WaitGroup
	for number := range s.workers {
		group.Go(func() {
			for i := range work {
				catch := huntOne(programs, faults[i], i+1)
				log.Printf("%d/%d %s: %s (%.1f s)", i+1, len(faults), catch.Fault, told(strings.TrimSpace(catch.How+" "+catch.Test), catch.Met), catch.Seconds)
				if errs[number] = results.add(catch.Fault, catch); errs[number] != nil {
					return
				}
			}
		})
	}
	group.Wait()
	return errors.Join(errs...)
}

func huntOne(programs []covered, fault rewrite.Fault, number int) gotests.Catch {
	catch := gotests.Catch{Fault: fault.ID}
	own := filepath.Dir(fault.File)
	for _, first := range []bool{true, false} {
		for _, one := range programs {
			if catch.How == "" && (one.program.Package == own) == first {
				one.program.Hunt(one.coverage, number, &catch)
			}
		}
	}
	return catch
}

// told is what became of a fault: how it was caught, if it was.
func told(how string, met bool) string {
	switch {
	case how != "":
		return how
	case !met:
		return "LIVES, never met"
	}
	return "LIVES"
}

// integrationPhase asks the integration tests, first of faults that nodebound does not catch, then of as many others as
// there is time for: one takes minutes.
func integrationPhase(s *settings) error {
	faults, err := readFaults(s)
	if err != nil {
		return err
	}
	list, err := readList(s)
	if err != nil {
		return err
	}
	var programs []covered
	for _, wanted := range list.Integration {
		names, err := regexp.Compile(wanted.Tests)
		if err != nil {
			return err
		}
		one, err := prepare(s, wanted.Package, names, 10*time.Minute, len(faults))
		if err != nil {
			return err
		}
		programs = append(programs, one)
	}
	results, err := openLedger(s.file("integration.jsonl"), testCatchOf)
	if err != nil {
		return err
	}
	chosen, err := chooseForIntegration(s, faults, results)
	if err != nil {
		return err
	}
	return huntTests(s, programs, faults, results, func(fault rewrite.Fault) bool { return chosen[fault.ID] })
}

// chooseForIntegration takes what nodebound lets live, and spreads the rest of the number evenly over all faults.
func chooseForIntegration(s *settings, faults []rewrite.Fault, done *ledger[gotests.Catch]) (map[string]bool, error) {
	ours, err := openLedger(s.suiteLedger(), catchOf)
	if err != nil {
		return nil, err
	}
	equivalent, err := equivalents(s, faults)
	if err != nil {
		return nil, err
	}
	chosen := map[string]bool{}
	var others []string
	for _, fault := range faults {
		if _, known := done.known[fault.ID]; known || equivalent[fault.ID] || !s.wants(fault.ID) {
			continue
		}
		if ours, known := ours.known[fault.ID]; known && ours.How == "" {
			chosen[fault.ID] = true
		} else {
			others = append(others, fault.ID)
		}
	}
	count := min(s.integration, len(others))
	for i := range count {
		chosen[others[i*len(others)/count]] = true
	}
	return chosen, nil
}
