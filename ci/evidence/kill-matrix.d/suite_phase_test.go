package main

import (
	"path/filepath"
	"testing"
)

func TestScenariosAreFoundOnWhateverShelf(t *testing.T) {
	folder := t.TempDir()
	write(t, filepath.Join(folder, "fixtures.toml"), "")
	write(t, filepath.Join(folder, "conformance", "plain.toml"), "same")
	write(t, filepath.Join(folder, "conformance", "shelf", "below", "shelved.toml"), "same")
	found, err := hashes(folder, []string{"conformance/plain", "conformance/shelved[case]"})
	if err != nil || found["conformance/plain"] == "" || found["conformance/plain"] != found["conformance/shelved[case]"] {
		t.Errorf("found %v, %v", found, err)
	}
	if _, err := hashes(folder, []string{"conformance/missing"}); err == nil {
		t.Error("a scenario without a file was found")
	}
}
