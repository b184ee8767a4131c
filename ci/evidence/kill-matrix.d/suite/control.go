// Package suite asks nodebound what it sees of faults in a running kube-apiserver.
package suite

import (
	"encoding/binary"
	"os"
	"syscall"
)

// As faultpoint.HeaderSize.
const headerSize = 64

// Control is the file through which a process is told which fault is in force, and tells which would have mattered.
type Control struct {
	Path   string
	memory []byte
}

// NewControl makes the file, for this many faults.
func NewControl(path string, faults int) (*Control, error) {
	size := headerSize + faults + 1
	if err := os.WriteFile(path, make([]byte, size), 0o600); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	memory, err := syscall.Mmap(int(file.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	return &Control{path, memory}, err
}

// Put puts a fault in force; 0 is none.
func (c *Control) Put(fault int) { binary.NativeEndian.PutUint32(c.memory, uint32(fault)) }

// Forget takes all marks back.
func (c *Control) Forget() { clear(c.memory[headerSize:]) }

// Marked are the numbers of the faults that would have mattered since.
func (c *Control) Marked() []int {
	var marked []int
	for fault, mark := range c.memory[headerSize:] {
		if mark != 0 {
			marked = append(marked, fault)
		}
	}
	return marked
}
