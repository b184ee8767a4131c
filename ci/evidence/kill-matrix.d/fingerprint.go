package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"strings"
)

// fingerprint identifies what determines the faults: the targets, and how they are rewritten.
func fingerprint(s *settings) (string, error) {
	list, err := readList(s)
	if err != nil {
		return "", err
	}
	targets, err := json.Marshal(list.Target)
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	hash.Write(targets)
	err = filepath.WalkDir(filepath.Join(s.here, "rewrite"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		content, err := os.ReadFile(path)
		fmt.Fprintf(hash, "\n%s %d\n%s", entry.Name(), len(content), content)
		return err
	})
	return fmt.Sprintf("%x\n", hash.Sum(nil)), err
}

// keepOrDrop says whether the build in the folder has these sources. A build of other sources is removed, and the
// ledgers of its faults become *.stale, because numbers and ids may now mean something else. A build without a
// fingerprint is taken to have these sources.
func keepOrDrop(s *settings, now string) (bool, error) {
	if _, err := os.Stat(s.file("bin/kube-apiserver")); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	then, err := os.ReadFile(s.file("bin/sources.sha256"))
	if errors.Is(err, fs.ErrNotExist) {
		return true, os.WriteFile(s.file("bin/sources.sha256"), []byte(now), 0o644)
	}
	if err != nil || string(then) == now {
		return err == nil, err
	}
	log.Printf("targets.toml or rewrite/ has changed: %s is made anew; its ledgers are kept as *.stale", s.folder)
	return false, drop(s)
}

func drop(s *settings) error {
	for _, name := range []string{"bin", "build", "staging", "tests", "faults.json"} {
		if err := os.RemoveAll(s.file(name)); err != nil {
			return err
		}
	}
	coverage, err := filepath.Glob(s.file("coverage-*.json"))
	if err != nil {
		return err
	}
	for _, path := range coverage {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	ledgers, err := filepath.Glob(s.file("*.jsonl"))
	if err != nil {
		return err
	}
	for _, path := range ledgers {
		if err := os.Rename(path, path+".stale"); err != nil {
			return err
		}
	}
	return nil
}
