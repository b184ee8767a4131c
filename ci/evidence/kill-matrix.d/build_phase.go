package main

import (
	"encoding/json"
	"log"
	"maps"
	"os"
	"path/filepath"

	"nodebound/kill_matrix/rewrite"
	"nodebound/kill_matrix/upstream"
)

func (s *settings) file(name string) string { return filepath.Join(s.folder, name) }

// buildPhase rewrites and builds, unless that is done.
func buildPhase(s *settings) error {
	sources, err := fingerprint(s)
	if err != nil {
		return err
	}
	if kept, err := keepOrDrop(s, sources); kept || err != nil {
		return err
	}
	list, err := readList(s)
	if err != nil {
		return err
	}
	log.Printf("copying and rewriting Kubernetes %s", s.version)
	main := filepath.Join(s.here, "..", "..", "go", "kube-apiserver", "main.go")
	copied, err := upstream.MakeCopy(s.version, s.folder, main, list.Modules())
	if err != nil {
		return err
	}
	folders := maps.Clone(copied.Staging)
	folders[rewrite.Kubernetes] = copied.Module
	faults, err := rewrite.Modules(folders, copied.Build, list.Target, upstream.Environment())
	if err != nil {
		return err
	}
	if err := writeJSON(s.file("faults.json"), faults); err != nil {
		return err
	}
	log.Printf("%d faults; building kube-apiserver", len(faults))
	if err := copied.BuildServer(s.file("bin"), s.etcd); err != nil {
		return err
	}
	return os.WriteFile(s.file("bin/sources.sha256"), []byte(sources), 0o644)
}

func readList(s *settings) (*rewrite.List, error) {
	return rewrite.ReadList(filepath.Join(s.here, s.targets+".toml"))
}

func readFaults(s *settings) ([]rewrite.Fault, error) {
	var faults []rewrite.Fault
	err := readJSON(s.file("faults.json"), &faults)
	return faults, err
}

func readJSON(path string, into any) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(content, into)
}

func writeJSON(path string, value any) error {
	content, err := json.MarshalIndent(value, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o644)
}
