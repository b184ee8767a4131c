package main

import (
	"errors"
	"fmt"
	"math/rand"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"
)

// A defect that was found, as opposed to an error that kept us from testing.
type finding struct{ what string }

func (f finding) Error() string { return f.what }

func found(format string, arguments ...any) error { return finding{fmt.Sprintf(format, arguments...)} }

// The time from one reading of all objects, through kills, to the next.
type episode struct {
	number  int
	first   map[string]object
	history []porcupine.Operation
}

type figures struct {
	kills, early, cuts, torn, full, refusedFull, roomAgain, jumps int
	requests, acknowledged, unanswered, failed                    int
}

type run struct {
	machine *machine
	random  *rand.Rand
	faults  []string
	clients int
	lies    int
	out     string
	begin   time.Time
	open    *episode
	newest  uint64
	shown   *shown
	figures figures
	checks  sync.WaitGroup
	slots   chan struct{}
	results chan error
}

// No version and no UID is ever assigned twice, to any object.
type shown struct {
	versions map[uint64]string
	uids     map[string]string
	made     map[string]bool
}

func (s *shown) note(in input, out output) error {
	if out.Status == 0 || out.Status >= 300 || in.Kind == remove {
		return nil
	}
	what := in.Object + " " + out.Value
	if before, there := s.versions[out.Version]; there && before != what {
		return found("version %d is of %s and of %s", out.Version, before, what)
	}
	if before, there := s.uids[out.UID]; there && before != in.Object {
		return found("UID %s is of %s and of %s", out.UID, before, in.Object)
	}
	if in.Kind == create {
		if s.made[out.UID] {
			return found("UID %s was given to two objects, the second at %s", out.UID, in.Object)
		}
		s.made[out.UID] = true
	}
	s.versions[out.Version], s.uids[out.UID] = what, in.Object
	return nil
}

func (r *run) between(least, most int) time.Duration {
	return time.Duration(least+r.random.Intn(most-least)) * time.Millisecond
}

// One start and the kill that ends it.
func (r *run) once(number int) error {
	fault := r.faults[r.random.Intn(len(r.faults))]
	if fault == "clock" {
		r.jump()
	}
	r.machine.control.setSync(0)
	if fault == "power" {
		// As long as a disk takes, so that most kills happen while something is unsynced.
		r.machine.control.setSync(time.Duration(1000+r.random.Intn(4000)) * time.Microsecond)
	}
	s, err := r.machine.start()
	if err != nil {
		return err
	}
	if number > 1 && r.random.Intn(10) == 0 {
		time.Sleep(r.between(0, 400))
		r.figures.early++
		return r.kill(s, fault)
	}
	address, err := s.serves()
	if err != nil {
		return err
	}
	if address == "" {
		return found("serve ended with %s instead of serving: %s", s.command.ProcessState, s.says())
	}
	if err := r.readAll(address, number); err != nil {
		s.kill()
		return err
	}
	return r.write(s, address, fault)
}

func (r *run) jump() {
	r.figures.jumps++
	r.machine.control.setClock(time.Duration(r.random.Int63n(20*365*24)-10*365*24) * time.Hour)
}

// Ends the current episode, and begins one.
func (r *run) readAll(address string, number int) error {
	reader := newClient(-1, 0, address, r.begin)
	defer reader.http.CloseIdleConnections()
	next := &episode{number: number, first: map[string]object{}}
	var last []porcupine.Operation
	for _, path := range objects {
		in := input{Object: path, Kind: read}
		call := reader.now()
		out := reader.ask(in)
		if reader.wrong != nil {
			return finding{reader.wrong.Error()}
		}
		if out.Status != http.StatusOK && out.Status != http.StatusNotFound {
			return found("read %s, with nothing else going on: %d", path, out.Status)
		}
		last = append(last, porcupine.Operation{ClientId: r.clients, Input: in, Call: call, Output: out, Return: reader.now()})
		if err := r.shown.note(in, out); err != nil {
			return err
		}
		r.newest = max(r.newest, out.Version)
		next.first[path] = object{There: out.Status == http.StatusOK, Value: out.Value, Version: out.Version, UID: out.UID}
	}
	for path, each := range next.first {
		each.Newest = r.newest
		next.first[path] = each
	}
	if r.open != nil {
		r.open.history = append(r.open.history, last...)
		r.check(r.open)
	}
	r.open = next
	return nil
}

// Lets clients write until the server is killed.
func (r *run) write(s *server, address, fault string) error {
	clients := make([]*client, r.clients)
	var running sync.WaitGroup
	for i := range clients {
		clients[i] = newClient(i, r.random.Int63(), address, r.begin)
		running.Add(1)
		go func(c *client) {
			defer running.Done()
			c.run(fmt.Sprint(r.open.number))
		}(clients[i])
	}
	trouble := r.wait(s, address, fault)
	if s.isGone() && trouble == nil {
		trouble = found("serve ended by itself with %s: %s", s.command.ProcessState, s.says())
	}
	err := errors.Join(trouble, r.kill(s, fault))
	killed := int64(time.Since(r.begin))
	running.Wait()
	var twice error
	for _, c := range clients {
		if c.wrong != nil {
			err = errors.Join(err, finding{c.wrong.Error()})
		}
		r.figures.failed += c.failed
		if c.failed > 0 && fault != "full" {
			err = errors.Join(err, found("%d requests were answered with 500, and there was room", c.failed))
		}
		for _, each := range c.history {
			in, out := each.Input.(input), each.Output.(output)
			if each.Return == never {
				// A client may send its last request when the server is gone already.
				each.Return = max(killed, each.Call+1)
				r.figures.unanswered++
			}
			r.figures.requests++
			if in.Kind != read && out.Status != 0 && out.Status < 300 {
				r.figures.acknowledged++
			}
			r.newest = max(r.newest, out.Version)
			twice = errors.Join(twice, r.shown.note(in, out))
			r.open.history = append(r.open.history, each)
		}
	}
	if err == nil {
		err = first(twice)
	}
	return err
}

// The first of several errors.
func first(err error) error {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		return first(many.Unwrap()[0])
	}
	return err
}

func (r *run) wait(s *server, address, fault string) error {
	time.Sleep(r.between(20, 400))
	switch fault {
	case "clock":
		for range r.random.Intn(3) {
			r.jump()
			time.Sleep(r.between(20, 200))
		}
	case "full":
		r.figures.full++
		r.machine.control.setRoom(r.random.Int63n(200_000))
		time.Sleep(r.between(50, 400))
		if r.random.Intn(2) == 0 {
			r.figures.roomAgain++
			r.machine.control.setRoom(-1)
			if err := r.writesAgain(s, address); err != nil {
				return err
			}
			time.Sleep(r.between(20, 200))
		}
	default:
		time.Sleep(r.between(0, 400))
	}
	return nil
}

// There is room again.
func (r *run) writesAgain(s *server, address string) error {
	c := newClient(-1, 0, address, r.begin)
	defer c.http.CloseIdleConnections()
	const probe = configMaps + "/probe"
	c.send("POST", configMaps, "application/json", stored{Metadata: metadata{Name: "probe"}})
	status, body := c.send("PATCH", probe, "application/merge-patch+json", stored{Metadata: metadata{Annotations: map[string]string{"probe": "x"}}})
	if status != http.StatusOK && !s.isGone() {
		return found("there is room again, and a write is answered %d: %.300s", status, body)
	}
	return nil
}

// Kills it, and changes the disk as the fault says.
func (r *run) kill(s *server, fault string) error {
	s.kill()
	r.figures.kills++
	if fault == "power" || fault == "full" && r.random.Intn(2) == 0 {
		if err := r.cutPower(s); err != nil {
			return err
		}
	}
	if fault != "full" {
		return nil
	}
	r.machine.control.setRoom(-1)
	if r.random.Intn(2) == 0 {
		return nil
	}
	return r.startWithoutRoom()
}

// After a clean shutdown there is no write-ahead log whose space could be reused.
func (r *run) startWithoutRoom() error {
	ended, err := r.machine.start()
	if err != nil {
		return err
	}
	if address, err := ended.serves(); err != nil || address == "" {
		return errors.Join(err, found("serve ended with %s instead of serving: %s", ended.command.ProcessState, ended.says()))
	}
	if ended.end(); ended.command.ProcessState.ExitCode() != 0 {
		return found("told to end, serve ended with %s: %s", ended.command.ProcessState, ended.says())
	}
	r.machine.control.setRoom(0)
	defer r.machine.control.setRoom(-1)
	full, err := r.machine.start()
	if err != nil {
		return err
	}
	address, err := full.serves()
	if err != nil {
		return err
	}
	if address != "" {
		full.kill()
		return found("serve began where nothing can be written")
	}
	r.figures.refusedFull++
	if code := full.command.ProcessState.ExitCode(); code != 3 || !strings.Contains(full.says(), "no room is left") {
		return found("on a full disk serve ended with %s: %s", full.command.ProcessState, full.says())
	}
	return nil
}

// Reverts the database to what a disk would have had after a power failure at the moment of the kill.
func (r *run) cutPower(s *server) error {
	entries, err := readLog(r.machine.logPath())
	if errors.Is(err, os.ErrNotExist) {
		return nil // it was killed before it began
	}
	if err != nil {
		return err
	}
	disk := newDisk(s.before)
	if err := disk.replay(entries, r.lies); err != nil {
		return err
	}
	r.figures.cuts++
	if len(disk.pending) > 0 {
		r.figures.torn++
	}
	keeps := drawn(r.random)
	if r.lies > 0 {
		keeps = func(string, int, int) bool { return false }
	}
	return writeDatabase(r.machine.folder(), disk.after(keeps))
}

// Checks the objects one after the other, while the test goes on.
func (r *run) check(done *episode) {
	r.checks.Add(1)
	r.slots <- struct{}{}
	go func() {
		defer func() { <-r.slots; r.checks.Done() }()
		if err := r.checked(done); err != nil {
			select {
			case r.results <- err:
			default: // one is enough
			}
		}
	}()
}

func (r *run) checked(done *episode) error {
	for _, path := range objects {
		var own []porcupine.Operation
		for _, each := range done.history {
			if each.Input.(input).Object == path {
				own = append(own, each)
			}
		}
		model := modelOf(done.first[path])
		result, info := porcupine.CheckOperationsVerbose(model, own, patience)
		switch result {
		case porcupine.Unknown:
			return fmt.Errorf("episode %d: whether the %d requests of %s are linearizable was not found out in %s", done.number,
				len(own), path, patience)
		case porcupine.Illegal:
			page := filepath.Join(r.out, fmt.Sprintf("episode-%d.html", done.number))
			if err := os.MkdirAll(r.out, 0o755); err != nil {
				return err
			}
			if err := porcupine.VisualizePath(model, info, page); err != nil {
				return err
			}
			last := own[len(own)-1]
			return found("episode %d: the %d requests of %s are not linearizable; at the end: %s\n  see %s", done.number, len(own),
				path, describe(last.Input.(input), last.Output.(output)), page)
		}
	}
	return nil
}
