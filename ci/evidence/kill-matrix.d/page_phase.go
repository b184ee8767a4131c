package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"nodebound/kill_matrix/matrix"
)

// errUnexplained is what --strict does not let pass.
var errUnexplained = errors.New("faults that nodebound was not asked about, or lets live without a reason in equivalents/")

// pagePhase prints the matrix, and writes it as JSON and as a page into the output folder.
func pagePhase(s *settings) error {
	faults, err := readFaults(s)
	if err != nil {
		return err
	}
	arguments, err := readArguments(s)
	if err != nil {
		return err
	}
	ours, err := openLedger(s.suiteLedger(), catchOf)
	if err != nil {
		return err
	}
	unit, err := openLedger(s.file("unit.jsonl"), testCatchOf)
	if err != nil {
		return err
	}
	integration, err := openLedger(s.file("integration.jsonl"), testCatchOf)
	if err != nil {
		return err
	}
	m := matrix.Matrix{Version: s.version, Page: s.page(), Date: time.Now().UTC().Format(time.DateOnly), Command: s.command()}
	if err := m.Add(faults, arguments, ours.known, unit.known, integration.known); err != nil {
		return err
	}
	fmt.Print(m.Terminal())
	if err := os.MkdirAll(s.out, 0o755); err != nil {
		return err
	}
	if err := writeJSON(filepath.Join(s.out, "kill-matrix.json"), m); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(s.out, "kill-matrix.md"), []byte(m.Markdown()), 0o644); err != nil {
		return err
	}
	if unexplained := m.Unexplained(); s.strict && len(unexplained) > 0 {
		return fmt.Errorf("%w: %d, such as %s", errUnexplained, len(unexplained), unexplained[0])
	}
	return nil
}

// page is the name of what is written down of a release and a list of targets.
func (s *settings) page() string {
	if s.targets == "targets" {
		return s.version
	}
	return s.targets + "-" + s.version
}

func (s *settings) command() string {
	if s.targets == "targets" {
		return "ci/evidence/kill-matrix " + s.version
	}
	return "ci/evidence/kill-matrix " + s.version + " --targets " + s.targets
}

func readArguments(s *settings) (*matrix.Arguments, error) {
	return matrix.ReadArguments(filepath.Join(s.here, "equivalents", s.page()+".toml"))
}
