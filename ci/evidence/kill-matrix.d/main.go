// Command kill_matrix finds out who notices faults in the sources of Kubernetes that restrict nodes: nodebound,
// upstream's unit tests, upstream's integration tests. ci/evidence/kill-matrix calls it.
package main

import (
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"regexp"
	"slices"
	"strings"
)

// settings are what the phases share.
type settings struct {
	version     string
	folder      string // in the cache: the copy, what is built, what is known
	here        string // this folder of the tree
	targets     string // name of the file there that lists what is rewritten, without its ending
	program     string // nodebound
	etcd        string
	out         string
	only        string
	again       bool
	strict      bool
	known       string
	equivalents int
	workers     int
	integration int
	limit       int
}

func main() {
	log.SetFlags(log.Ltime)
	var s settings
	flag.StringVar(&s.version, "version", "", "Kubernetes release, like 1.36.3")
	flag.StringVar(&s.folder, "folder", "", "where the copy and the results are kept")
	flag.StringVar(&s.here, "here", ".", "folder with the lists of targets")
	flag.StringVar(&s.targets, "targets", "targets", "which of them")
	flag.StringVar(&s.program, "nodebound", "", "the program nodebound")
	flag.StringVar(&s.etcd, "etcd", "", "the program etcd")
	flag.StringVar(&s.out, "out", "out", "folder for the matrix")
	flag.StringVar(&s.only, "only", "", "only faults whose id contains one of these, separated by commas")
	flag.BoolVar(&s.again, "again", false, "try what lives once more")
	flag.BoolVar(&s.strict, "strict", false, "end with 1 unless every fault was asked about, and what lives is listed with a reason")
	flag.StringVar(&s.known, "known", "", "a name: what is known of nodebound under another one does not count")
	flag.IntVar(&s.equivalents, "equivalents", -1, "how many of the equivalent faults are asked about at most; -1 is all")
	flag.IntVar(&s.workers, "workers", 2, "faults at a time")
	flag.IntVar(&s.integration, "integration", 0, "of how many faults that nodebound catches the integration tests are asked, too")
	flag.IntVar(&s.limit, "limit", 0, "how many scenarios are asked of a fault at most; 0 is all that meet it")
	phases := flag.String("phases", "build,suite,unit,integration,page", "what to do")
	flag.Parse()
	if !regexp.MustCompile(`^[0-9A-Za-z-]*$`).MatchString(s.known) {
		fmt.Fprintf(os.Stderr, "kill-matrix: --known: %q has more than letters, digits and hyphens\n", s.known)
		os.Exit(2)
	}
	for _, phase := range strings.Split(*phases, ",") {
		if err := run(phase, &s); err != nil {
			fmt.Fprintf(os.Stderr, "kill-matrix: %s: %v\n", phase, err)
			if errors.Is(err, errUnexplained) {
				os.Exit(1)
			}
			os.Exit(3)
		}
	}
}

// wants says whether a fault is among those that --only names.
func (s *settings) wants(id string) bool {
	return slices.ContainsFunc(strings.Split(s.only, ","), func(part string) bool { return strings.Contains(id, part) })
}

// suiteLedger is the file of what nodebound catches.
func (s *settings) suiteLedger() string {
	if s.known == "" {
		return s.file("suite.jsonl")
	}
	return s.file("suite-" + s.known + ".jsonl")
}

func run(phase string, s *settings) error {
	switch phase {
	case "build":
		return buildPhase(s)
	case "cover":
		_, err := coveredWays(s)
		return err
	case "suite":
		return suitePhase(s)
	case "unit":
		return unitPhase(s)
	case "integration":
		return integrationPhase(s)
	case "page":
		return pagePhase(s)
	}
	return fmt.Errorf("no such phase; there are build, cover, suite, unit, integration and page")
}
