package main

import (
	"bufio"
	"encoding/json"
	"os"
	"sync"
)

// ledger stores one line for each fault once its result is known, so that an interrupted run can go on. The last line
// about a fault counts.
type ledger[T any] struct {
	mutex sync.Mutex
	file  *os.File
	known map[string]T
}

func openLedger[T any](path string, key func(T) string) (*ledger[T], error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	l := &ledger[T]{file: file, known: map[string]T{}}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var entry T
		// The last line may be incomplete.
		if json.Unmarshal(lines.Bytes(), &entry) == nil {
			l.known[key(entry)] = entry
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	return l, endLine(file)
}

// endLine ends a half-written last line, so that what is added does not become part of it.
func endLine(file *os.File) error {
	about, err := file.Stat()
	if err != nil || about.Size() == 0 {
		return err
	}
	last := make([]byte, 1)
	if _, err := file.ReadAt(last, about.Size()-1); err != nil || last[0] == '\n' {
		return err
	}
	_, err = file.Write([]byte{'\n'})
	return err
}

func (l *ledger[T]) add(key string, entry T) error {
	line, err := json.Marshal(entry)
	if err != nil {
		return err
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.known[key] = entry
	_, err = l.file.Write(append(line, '\n'))
	return err
}
