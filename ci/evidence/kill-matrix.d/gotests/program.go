// Package gotests runs upstream's own tests and records which faults they notice.
package gotests

import (
	"context"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"nodebound/kill_matrix/suite"
)

// Program is a compiled test program of a package.
type Program struct {
	Package string // below the module's
	Path    string
	Folder  string // of the package: tests read files beside them
	Limit   time.Duration
	Tools   string // folder put before PATH: integration tests look for etcd there
	Sources string // folder in which they find sources under their trimmed names
}

// Coverage tells which faults each test of a program would have met; tests that fail without a fault are left out.
type Coverage struct {
	Tests   map[string][]int `json:"tests"`
	Seconds float64          `json:"seconds"` // of all tests without a fault, one after the other
}

// Catch is what the tests made of one fault.
type Catch struct {
	Fault   string  `json:"fault"`
	How     string  `json:"how"` // "" if it survives
	Met     bool    `json:"met"`
	Package string  `json:"package"`
	Test    string  `json:"test"` // that failed first
	Seconds float64 `json:"seconds"`
}

// run runs some tests. fault is the id of the active fault ("" for none), unless control sets it.
func (p Program) run(tests []string, fault string, control *suite.Control) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), p.Limit+10*time.Second)
	defer cancel()
	command := exec.CommandContext(ctx, p.Path, "-test.run=^("+strings.Join(tests, "|")+")$", "-test.failfast",
		fmt.Sprintf("-test.timeout=%s", p.Limit))
	command.Dir = p.Folder
	command.WaitDelay = time.Second
	command.Env = append(p.environment(), "NODEBOUND_FAULT="+fault)
	if control != nil {
		command.Env = append(command.Env, "NODEBOUND_FAULT_FILE="+control.Path)
	}
	out, err := command.CombinedOutput()
	return string(out), err
}

func (p Program) environment() []string {
	return append(os.Environ(), "PATH="+p.Tools+":"+os.Getenv("PATH"), "TEST_SRCDIR="+filepath.Dir(p.Sources),
		"TEST_WORKSPACE="+filepath.Base(p.Sources))
}

// Cover runs each test by itself, without a fault; only those whose name matches.
func (p Program) Cover(names *regexp.Regexp, control *suite.Control) (*Coverage, error) {
	list := exec.Command(p.Path, "-test.list=.*")
	list.Env = p.environment() // some start etcd even to list their tests
	listed, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("%s -test.list: %w", p.Path, err)
	}
	coverage := &Coverage{Tests: map[string][]int{}}
	for _, test := range strings.Fields(string(listed)) {
		if !strings.HasPrefix(test, "Test") || !names.MatchString(test) {
			continue
		}
		control.Put(0)
		control.Forget()
		start := time.Now()
		out, err := p.run([]string{test}, "", control)
		coverage.Seconds += time.Since(start).Seconds()
		if err != nil {
			log.Printf("%s: %s fails without any fault and is left out: %s", p.Package, test, lastLine(out))
			continue
		}
		if met := control.Marked(); len(met) > 0 {
			coverage.Tests[test] = met
		}
	}
	return coverage, nil
}

var failedTest = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)

// Hunt runs the tests that meet a fault, with it in force from the start, and stops at the first that fails.
func (p Program) Hunt(coverage *Coverage, fault int, catch *Catch) {
	var tests []string
	for test, met := range coverage.Tests {
		for _, one := range met {
			if one == fault {
				tests = append(tests, test)
			}
		}
	}
	if len(tests) == 0 {
		return
	}
	catch.Met = true
	start := time.Now()
	out, err := p.run(tests, catch.Fault, nil)
	catch.Seconds += time.Since(start).Seconds()
	if err == nil {
		return
	}
	catch.Package, catch.How = p.Package, "fails"
	if found := failedTest.FindStringSubmatch(out); found != nil {
		catch.Test = found[1]
	} else if strings.Contains(out, "panic: ") {
		catch.How = "panics"
	} else {
		catch.How = "ends: " + lastLine(out)
	}
	if strings.Contains(out, "panic: test timed out") {
		catch.How = "no end within " + p.Limit.String()
	}
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

// NameOf is a file name for what belongs to a package.
func NameOf(pkg string) string { return strings.ReplaceAll(filepath.ToSlash(pkg), "/", "-") }
