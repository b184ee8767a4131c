package main

import (
	"os"
	"path/filepath"
	"testing"
)

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func TestAFingerprintIsOfTargetsAndRewriting(t *testing.T) {
	here := t.TempDir()
	targets := "[[target]]\npart = \"graph\"\nfile = \"a/graph.go\"\n"
	write(t, filepath.Join(here, "targets.toml"), targets)
	write(t, filepath.Join(here, "rewrite", "rules.go"), "package rewrite\n")
	of := func() string {
		t.Helper()
		found, err := fingerprint(&settings{here: here, targets: "targets"})
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	first := of()
	write(t, filepath.Join(here, "targets.toml"), "# how servers are started changes no fault\n"+targets+
		"[[server]]\nname = \"default\"\nscenarios = \".\"\n")
	write(t, filepath.Join(here, "rewrite", "rules_test.go"), "package rewrite\n")
	if of() != first {
		t.Error("servers, comments or tests change the fingerprint")
	}
	write(t, filepath.Join(here, "rewrite", "faultpoint", "names.go"), "package faultpoint\n")
	second := of()
	if second == first {
		t.Error("a new source does not change the fingerprint")
	}
	write(t, filepath.Join(here, "targets.toml"), targets+"rules = true\n")
	if of() == second {
		t.Error("another target does not change the fingerprint")
	}
}

func TestWhatWasMadeOfOtherSourcesIsDropped(t *testing.T) {
	s := &settings{folder: t.TempDir()}
	if kept, err := keepOrDrop(s, "one"); kept || err != nil {
		t.Errorf("nothing was built, yet it is kept: %v", err)
	}
	for _, name := range []string{"bin/kube-apiserver", "build/go.mod", "tests/graph", "coverage-default.json", "faults.json", "suite.jsonl"} {
		write(t, s.file(name), "x")
	}
	for _, now := range []string{"one", "one"} {
		if kept, err := keepOrDrop(s, now); !kept || err != nil || !exists(s.file("suite.jsonl")) {
			t.Errorf("a build without a fingerprint, or with the same, is not kept: %v", err)
		}
	}
	if kept, err := keepOrDrop(s, "two"); kept || err != nil {
		t.Errorf("a build of other sources is kept: %v", err)
	}
	for _, name := range []string{"bin", "build", "tests", "coverage-default.json", "faults.json", "suite.jsonl"} {
		if exists(s.file(name)) {
			t.Errorf("%s is still there", name)
		}
	}
	if !exists(s.file("suite.jsonl.stale")) {
		t.Error("the ledger is lost")
	}
}
