package main

import (
	"crypto/sha256"
	"fmt"
	"hash/fnv"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"sync"

	"nodebound/kill_matrix/rewrite"
	"nodebound/kill_matrix/suite"
)

func catchOf(c suite.Catch) string { return c.Fault }

// ways are those in which servers of the release can be started.
func ways(s *settings) ([]suite.Way, error) {
	list, err := readList(s)
	if err != nil {
		return nil, err
	}
	minor, err := strconv.Atoi(strings.Split(s.version, ".")[1])
	if err != nil {
		return nil, fmt.Errorf("%q is not a version like 1.36.3", s.version)
	}
	var found []suite.Way
	for _, server := range list.Server {
		if !server.Holds(minor) {
			continue
		}
		scenarios, err := regexp.Compile(server.Scenarios)
		if err != nil {
			return nil, err
		}
		found = append(found, suite.Way{Name: server.Name, Flags: server.Flags, Own: server.Own, Scenarios: scenarios})
	}
	return found, nil
}

// coveredWays knows which scenarios meet which faults; that is found out anew for scenarios that are new or edited.
func coveredWays(s *settings) ([]suite.Way, error) {
	faults, err := readFaults(s)
	if err != nil {
		return nil, err
	}
	runner := suite.Suite{Program: s.program, Folder: s.file("reports")}
	scenarios, err := runner.Scenarios()
	if err != nil {
		return nil, err
	}
	all, err := ways(s)
	if err != nil {
		return nil, err
	}
	errs := make([]error, len(all))
	var group sync.WaitGroup
	for i := range all {
		group.Go(func() { errs[i] = cover(s, runner, &all[i], scenarios, len(faults)) })
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

func cover(s *settings, runner suite.Suite, way *suite.Way, scenarios []string, faults int) error {
	path := s.file("coverage-" + way.Name + ".json")
	known := &suite.Coverage{}
	if err := readJSON(path, known); err != nil && !os.IsNotExist(err) {
		return err
	}
	var wanted []string
	for _, id := range scenarios {
		if way.Scenarios.MatchString(id) {
			wanted = append(wanted, id)
		}
	}
	files, err := hashes(filepath.Join(s.here, "..", "..", "..", "scenarios"), wanted)
	if err != nil {
		return err
	}
	missing := known.Unknown(wanted, files)
	way.Coverage = known
	if len(missing) == 0 {
		return writeJSON(path, known)
	}
	log.Printf("coverage, %s: %d scenarios", way.Name, len(missing))
	server, err := suite.NewServer(s.file("servers/cover-"+way.Name), s.file("bin"), *way, faults)
	if err != nil {
		return err
	}
	found, err := runner.Cover(server, missing)
	if err != nil {
		return err
	}
	for id, met := range known.Scenarios {
		if _, ok := found.Scenarios[id]; !ok {
			found.Scenarios[id] = met
		}
	}
	found.Files = files
	way.Coverage = found
	return writeJSON(path, found)
}

// hashes are those of the files of scenarios; a case has its file's. The shelf of a file is not part of an id.
func hashes(folder string, scenarios []string) (map[string]string, error) {
	of := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		inside, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path)
		collection, _, _ := strings.Cut(filepath.ToSlash(inside), "/")
		of[collection+"/"+strings.TrimSuffix(entry.Name(), ".toml")] = fmt.Sprintf("%x", sha256.Sum256(content))
		return err
	})
	if err != nil {
		return nil, err
	}
	found := map[string]string{}
	for _, id := range scenarios {
		file, _, _ := strings.Cut(id, "[")
		hash, known := of[file]
		if !known {
			return nil, fmt.Errorf("%s has no file of the scenario %s", folder, id)
		}
		found[id] = hash
	}
	return found, nil
}

// suitePhase hunts every fault that is not known yet.
func suitePhase(s *settings) error {
	covered, err := coveredWays(s)
	if err != nil {
		return err
	}
	faults, err := readFaults(s)
	if err != nil {
		return err
	}
	results, err := openLedger(s.suiteLedger(), catchOf)
	if err != nil {
		return err
	}
	equivalent, err := equivalents(s, faults)
	if err != nil {
		return err
	}
	work := make(chan int, len(faults))
	// Equivalent faults come last: testing them only confirms the list.
	for _, last := range []bool{false, true} {
		asked := 0
		for _, i := range shuffled(faults) {
			id := faults[i].ID
			if last && s.equivalents >= 0 && asked >= s.equivalents {
				break
			}
			before, known := results.known[id]
			wanted := !known
			if s.again {
				wanted = known && before.How == ""
			}
			if wanted && equivalent[id] == last && !(last && s.again) && s.wants(id) {
				work <- i
			}
			if last && equivalent[id] {
				asked++
			}
		}
	}
	close(work)
	errs := make([]error, s.workers)
	functions := make([]string, len(faults))
	for i, fault := range faults {
		functions[i] = fault.Part + "." + fault.Function
	}
	memory := suite.NewMemory(functions)
	var group sync.WaitGroup
	for i := range s.workers {
		group.Go(func() { errs[i] = huntAll(s, covered, memory, i, faults, work, results) })
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// equivalents are the faults that are listed as such: nobody has to be asked about them twice.
func equivalents(s *settings, faults []rewrite.Fault) (map[string]bool, error) {
	arguments, err := readArguments(s)
	if err != nil {
		return nil, err
	}
	listed, err := arguments.EquivalentFaults(faults)
	found := map[string]bool{}
	for id := range listed {
		found[id] = true
	}
	return found, err
}

// shuffled is an order in which those that were asked first stand for all, wherever a run was interrupted. It is always
// the same.
func shuffled(faults []rewrite.Fault) []int {
	order := make([]int, len(faults))
	key := make([]uint64, len(faults))
	for i, fault := range faults {
		hash := fnv.New64a()
		hash.Write([]byte(fault.ID))
		order[i], key[i] = i, hash.Sum64()*0x9e3779b97f4a7c15
	}
	sort.Slice(order, func(i, j int) bool { return key[order[i]] < key[order[j]] })
	return order
}

func huntAll(s *settings, ways []suite.Way, memory *suite.Memory, number int, faults []rewrite.Fault, work chan int,
	results *ledger[suite.Catch]) error {
	runner := suite.Suite{Program: s.program, Folder: s.file("reports")}
	folder := s.file(fmt.Sprintf("servers/worker%d", number))
	hunter, err := suite.NewHunter(runner, ways, memory, folder, s.file("bin"), len(faults))
	if err != nil {
		return err
	}
	defer hunter.Stop()
	hunter.Limit = s.limit
	hunter.Thorough = s.again
	for i := range work {
		fault := faults[i]
		catch, err := hunter.Hunt(i+1, fault.ID)
		if err != nil {
			return err
		}
		if catch.Unclear != "" {
			log.Printf("%d/%d %s: could not tell: %s", i+1, len(faults), fault.ID, catch.Unclear)
			continue
		}
		log.Printf("%d/%d %s: %s (%.1f s)", i+1, len(faults), fault.ID, told(catch.How, catch.Met), catch.Seconds)
		if err := results.add(fault.ID, catch); err != nil {
			return err
		}
	}
	return nil
}
