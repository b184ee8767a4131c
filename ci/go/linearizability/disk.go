package main

import (
	"encoding/binary"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
)

// The unit that a disk writes completely or not at all.
const sector = 512

// An unsynced change of a file: bytes, or its size.
type change struct {
	resizes bool
	offset  int
	data    []byte
}

// The files of a folder as a disk has them: after a power failure, synced data is there and unsynced data may be.
// Creations, removals and renamings are assumed to be durable at once.
type disk struct {
	synced  map[string][]byte
	pending map[string][]change
}

func newDisk(files map[string][]byte) *disk {
	return &disk{files, map[string][]change{}}
}

func (d *disk) write(name string, offset int, data []byte) {
	if _, there := d.synced[name]; !there {
		d.synced[name] = nil
	}
	d.pending[name] = append(d.pending[name], change{offset: offset, data: data})
}

func (d *disk) resize(name string, size int) {
	d.pending[name] = append(d.pending[name], change{resizes: true, offset: size})
}

func (d *disk) remove(name string) {
	delete(d.synced, name)
	delete(d.pending, name)
}

func (d *disk) rename(name, to string) {
	d.remove(to)
	d.synced[to] = d.synced[name]
	if pending, there := d.pending[name]; there {
		d.pending[to] = pending
	}
	d.remove(name)
}

func (d *disk) sync(name string) {
	for _, each := range d.pending[name] {
		d.synced[name] = changed(d.synced[name], each)
	}
	delete(d.pending, name)
}

func changed(file []byte, by change) []byte {
	end := by.offset + len(by.data)
	if by.resizes && end < len(file) {
		return file[:end:end]
	}
	if end > len(file) {
		file = append(file, make([]byte, end-len(file))...)
	}
	copy(file[by.offset:], by.data)
	return file
}

// The files after a power failure. `keeps` decides for each unsynced piece of a file whether the disk kept it.
func (d *disk) after(keeps func(name string, piece, of int) bool) map[string][]byte {
	files := map[string][]byte{}
	for name, file := range d.synced {
		var pieces []change
		for _, each := range d.pending[name] {
			for data := each.data; len(data) > sector; data = each.data {
				pieces = append(pieces, change{offset: each.offset, data: data[:sector]})
				each.offset, each.data = each.offset+sector, data[sector:]
			}
			pieces = append(pieces, each)
		}
		file = append([]byte(nil), file...)
		for i, each := range pieces {
			if keeps(name, i, len(pieces)) {
				file = changed(file, each)
			}
		}
		files[name] = file
	}
	return files
}

// How to choose the unsynced pieces that survive: none, the first ones of each file, any, or all.
func drawn(random *rand.Rand) func(string, int, int) bool {
	switch random.Intn(5) {
	case 0:
		return func(string, int, int) bool { return false }
	case 1:
		return func(string, int, int) bool { return true }
	case 2, 3:
		part := random.Float64()
		return func(_ string, piece, of int) bool { return float64(piece) < part*float64(of) }
	}
	return func(string, int, int) bool { return random.Intn(2) == 0 }
}

// The content of machine.c's log.
type entry struct {
	kind   byte
	name   string
	offset int
	data   []byte
}

func readLog(path string) ([]entry, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	const head = 16
	var entries []entry
	for len(data) >= head {
		name, size := int(data[1]), int(binary.LittleEndian.Uint32(data[4:]))
		if len(data) < head+name+size {
			break // the process was killed here
		}
		entries = append(entries, entry{data[0], string(data[head : head+name]), int(binary.LittleEndian.Uint64(data[8:])),
			data[head+name : head+name+size]})
		data = data[head+name+size:]
	}
	return entries, nil
}

// Applies the log to the disk, except the last `lies` syncs, which a lying disk only promised.
func (d *disk) replay(entries []entry, lies int) error {
	syncs := 0
	for _, each := range entries {
		if each.kind == 'S' {
			syncs++
		}
	}
	for _, each := range entries {
		switch each.kind {
		case 'W':
			d.write(each.name, each.offset, each.data)
		case 'T':
			d.resize(each.name, each.offset)
		case 'U':
			d.remove(each.name)
		case 'R':
			d.rename(each.name, string(each.data))
		case 'S':
			if syncs--; syncs >= lies {
				d.sync(each.name)
			}
		default:
			return fmt.Errorf("the log has a record %q", each.kind)
		}
	}
	return nil
}

// The database's files in a folder. The folder also has the server's keys, which are not rewritten.
func readDatabase(folder string) (map[string][]byte, error) {
	paths, err := filepath.Glob(filepath.Join(folder, database+"*"))
	files := map[string][]byte{}
	for _, path := range paths {
		data, failed := os.ReadFile(path)
		if failed != nil {
			return nil, failed
		}
		files[filepath.Base(path)] = data
	}
	return files, err
}

func writeDatabase(folder string, files map[string][]byte) error {
	there, err := readDatabase(folder)
	if err != nil {
		return err
	}
	for name := range there {
		if err := os.Remove(filepath.Join(folder, name)); err != nil {
			return err
		}
	}
	for name, data := range files {
		if !strings.HasPrefix(name, database) {
			continue
		}
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o600); err != nil {
			return err
		}
	}
	return nil
}
