// Command kill_matrix asks who notices faults in the sources of Kubernetes that keep a node within its bounds:
// nodebound, upstream's unit tests, upstream's integration tests. ci/kill-matrix calls it.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"slices"
	"strings"
)

// settings are what the phases share.
type settings struct {
	version     string
	folder      string // in the cache: the copy, what is built, what is known
	here        string // this folder of the tree
	program     string // nodebound
	etcd        string
	out         string
	only        string
	again       bool
	workers     int
	integration int
	limit       int
}

func main() {
	log.SetFlags(log.Ltime)
	var s settings
	flag.StringVar(&s.version, "version", "", "Kubernetes release, like 1.36.3")
	flag.StringVar(&s.folder, "folder", "", "where the copy and the results are kept")
	flag.StringVar(&s.here, "here", ".", "folder with targets.toml")
	flag.StringVar(&s.program, "nodebound", "", "the program nodebound")
	flag.StringVar(&s.etcd, "etcd", "", "the program etcd")
	flag.StringVar(&s.out, "out", "out", "folder for the matrix")
	flag.StringVar(&s.only, "only", "", "only faults whose id contains one of these, separated by commas")
	flag.BoolVar(&s.again, "again", false, "try what lives once more")
	flag.IntVar(&s.workers, "workers", 2, "faults at a time")
	flag.IntVar(&s.integration, "integration", 0, "of how many faults that nodebound catches the integration tests are asked, too")
	flag.IntVar(&s.limit, "limit", 0, "how many scenarios are asked of a fault at most; 0 is all that meet it")
	phases := flag.String("phases", "build,suite,unit,integration,page", "what to do")
	flag.Parse()
	for _, phase := range strings.Split(*phases, ",") {
		if err := run(phase, &s); err != nil {
			fmt.Fprintf(os.Stderr, "kill-matrix: %s: %v\n", phase, err)
			os.Exit(3)
		}
	}
}

// wants says whether a fault is among those that --only names.
func (s *settings) wants(id string) bool {
	return slices.ContainsFunc(strings.Split(s.only, ","), func(part string) bool { return strings.Contains(id, part) })
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
