package main

import (
	"os"
	"path/filepath"
	"testing"

	"nodebound/kill_matrix/suite"
)

func TestWhatIsAddedAfterHalfALineIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "suite.jsonl")
	if err := os.WriteFile(path, []byte("{\"fault\": \"a\", \"how\": \"fails\"}\n{\"fault\": \"b\", \"h"), 0o644); err != nil {
		t.Fatal(err)
	}
	first, err := openLedger(path, catchOf)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.add("c", suite.Catch{Fault: "c", How: "fails"}); err != nil {
		t.Fatal(err)
	}
	again, err := openLedger(path, catchOf)
	if err != nil {
		t.Fatal(err)
	}
	if len(again.known) != 2 || again.known["a"].How != "fails" || again.known["c"].How != "fails" {
		t.Errorf("known are %v, expected a and c", again.known)
	}
}

func TestTheLastLineAboutAFaultCounts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "suite.jsonl")
	ledger, err := openLedger(path, catchOf)
	if err != nil {
		t.Fatal(err)
	}
	for _, how := range []string{"", "fails"} {
		if err := ledger.add("a", suite.Catch{Fault: "a", How: how}); err != nil {
			t.Fatal(err)
		}
	}
	again, err := openLedger(path, catchOf)
	if err != nil || len(again.known) != 1 || again.known["a"].How != "fails" {
		t.Errorf("known are %v, %v", again.known, err)
	}
}
