package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

const database = "nodebound.db"

// Longer than a start takes on any machine.
const patience = 2 * time.Minute

// The memory that machine.c has mapped too.
type control struct {
	clock *int64
	room  *int64
	sync  *int64
}

func newControl(path string) (control, error) {
	if err := os.WriteFile(path, make([]byte, 24), 0o600); err != nil {
		return control{}, err
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return control{}, err
	}
	defer file.Close()
	memory, err := syscall.Mmap(int(file.Fd()), 0, 24, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return control{}, err
	}
	binary.LittleEndian.PutUint64(memory[8:], ^uint64(0))
	number := func(at int) *int64 { return (*int64)(unsafe.Pointer(&memory[at])) }
	return control{number(0), number(8), number(16)}, nil
}

func (c control) setClock(off time.Duration) { atomic.StoreInt64(c.clock, int64(off)) }
func (c control) setRoom(bytes int64)        { atomic.StoreInt64(c.room, bytes) }
func (c control) setSync(took time.Duration) { atomic.StoreInt64(c.sync, took.Microseconds()) }

// Starts `nodebound serve` on one folder, repeatedly.
type machine struct {
	binary  string
	preload string // machine.c, compiled
	work    string
	control control
	starts  int
}

func (m *machine) folder() string  { return filepath.Join(m.work, "data") }
func (m *machine) logPath() string { return filepath.Join(m.work, "log") }

// One process.
type server struct {
	command *exec.Cmd
	before  map[string][]byte // the database as it was before the start
	address chan string       // where it serves; closed when it has ended
	ended   chan struct{}
	said    string // the file with its output
}

func (m *machine) start() (*server, error) {
	m.starts++
	before, err := readDatabase(m.folder())
	if err != nil {
		return nil, err
	}
	if err := os.RemoveAll(m.logPath()); err != nil {
		return nil, err
	}
	command := exec.Command(m.binary, "serve", "--secure-port", "0", "--data-dir", m.folder(), "--token-auth-file",
		filepath.Join(m.work, "tokens"))
	command.Env = append(os.Environ(), "LD_PRELOAD="+m.preload, "MACHINE_FOLDER="+m.folder(), "MACHINE_LOG="+m.logPath(),
		"MACHINE_CONTROL="+filepath.Join(m.work, "control"))
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	said, err := os.Create(filepath.Join(m.work, "said"))
	if err != nil {
		return nil, err
	}
	defer said.Close()
	command.Stderr = said
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s := &server{command: command, before: before, address: make(chan string, 1), ended: make(chan struct{}), said: said.Name()}
	if err := command.Start(); err != nil {
		return nil, err
	}
	go func() {
		serving := regexp.MustCompile(`at (https://\S+)$`)
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			if found := serving.FindStringSubmatch(lines.Text()); found != nil {
				s.address <- found[1]
			}
		}
		_ = command.Wait()
		close(s.ended)
		close(s.address)
	}()
	return s, nil
}

// The address where it serves, or "" if it has ended.
func (s *server) serves() (string, error) {
	select {
	case address := <-s.address:
		return address, nil
	case <-time.After(patience):
		s.kill()
		return "", fmt.Errorf("nodebound serve neither served nor ended in %s: %s", patience, s.says())
	}
}

func (s *server) says() string {
	said, _ := os.ReadFile(s.said)
	return string(said)
}

// Stops it cleanly.
func (s *server) end() {
	_ = s.command.Process.Signal(syscall.SIGTERM)
	<-s.ended
}

// Kills it. When this returns, it can do nothing more.
func (s *server) kill() {
	_ = s.command.Process.Kill()
	<-s.ended
}

// Whether it ended although we did not stop it.
func (s *server) isGone() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}
