// Kills `nodebound serve --data-dir` while clients write, and checks that what they were answered is linearizable: see
// ci/robustness/kill-serve.
package main

import (
	"errors"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	binary := flag.String("binary", "", "nodebound")
	preload := flag.String("preload", "", "machine.c, compiled")
	kills := flag.Int("kills", 100, "how often it is killed")
	seed := flag.Int64("seed", 1, "what is drawn by chance")
	faults := flag.String("faults", "kill,power,full,clock", "of these")
	clients := flag.Int("clients", 6, "who write side by side")
	lies := flag.Int("lies", 0, "so many syncs before a power failure were none")
	out := flag.String("out", "build/kill-serve", "folder for what is found")
	flag.Parse()
	names := strings.Split(*faults, ",")
	for _, name := range names {
		if !slices.Contains([]string{"kill", "power", "full", "clock"}, name) {
			fmt.Fprintf(os.Stderr, "kill-serve: there is no fault %q\n", name)
			os.Exit(2)
		}
	}
	if *binary == "" || *preload == "" || flag.NArg() > 0 || *kills < 1 || *clients < 1 {
		flag.Usage()
		os.Exit(2)
	}
	os.Exit(kill(&run{machine: &machine{binary: *binary, preload: *preload}, random: rand.New(rand.NewSource(*seed)), faults: names,
		clients: *clients, lies: *lies, out: *out}, *kills))
}

func kill(r *run, kills int) int {
	work, err := os.MkdirTemp("", "kill-serve-")
	if err != nil {
		fmt.Fprintln(os.Stderr, "kill-serve:", err)
		return 3
	}
	defer os.RemoveAll(work)
	err = r.all(work, kills)
	f := r.figures
	fmt.Printf("kills          %d, %d of them while it started; %s\n", f.kills, f.early, time.Since(r.begin).Round(time.Second))
	fmt.Printf("power failures %d, %d with writes that were not synced\n", f.cuts, f.torn)
	fmt.Printf("full disks     %d, %d got room again while it served; %d starts on one were refused\n", f.full, f.roomAgain,
		f.refusedFull)
	fmt.Printf("clock jumps    %d, of up to ten years\n", f.jumps)
	fmt.Printf("requests       %d: %d writes acknowledged, %d without an answer, %d answered with 500\n", f.requests, f.acknowledged,
		f.unanswered, f.failed)
	var wrong finding
	switch {
	case errors.As(err, &wrong):
		fmt.Printf("✗ NOT LINEARIZABLE, or otherwise wrong: %s\n", err)
		r.keep()
		return 1
	case err != nil:
		fmt.Fprintln(os.Stderr, "kill-serve:", err)
		return 3
	}
	fmt.Printf("✓ linearizable: %d kills, %d acknowledged writes, none lost\n", f.kills, f.acknowledged)
	return 0
}

func (r *run) all(work string, kills int) error {
	r.begin, r.machine.work = time.Now(), work
	r.shown = &shown{map[uint64]string{}, map[string]string{}, map[string]bool{}}
	r.slots, r.results = make(chan struct{}, 1), make(chan error, 1)
	// The shim compares paths.
	resolved, err := filepath.EvalSymlinks(work)
	if err != nil {
		return err
	}
	r.machine.work = resolved
	if err := os.Mkdir(r.machine.folder(), 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(resolved, "tokens"), []byte("token,admin,u,system:masters\n"), 0o600); err != nil {
		return err
	}
	if r.machine.control, err = newControl(filepath.Join(resolved, "control")); err != nil {
		return err
	}
	// After an interrupt, prints the figures so far.
	told := make(chan os.Signal, 1)
	signal.Notify(told, os.Interrupt, syscall.SIGTERM)
	for number := 1; r.figures.kills < kills && len(told) == 0; number++ {
		err := r.once(number)
		if err == nil && len(r.results) == 0 {
			progress(r, number)
			continue
		}
		// A history that is not linearizable explains more than its consequences.
		if checked := r.result(); checked != nil {
			return checked
		}
		return err
	}
	if err := r.last(); err != nil {
		return err
	}
	return r.result()
}

func progress(r *run, number int) {
	if number%100 == 0 {
		fmt.Fprintf(os.Stderr, "kill-serve: %d kills, %d acknowledged writes\n", r.figures.kills, r.figures.acknowledged)
	}
}

// Of all checks.
func (r *run) result() error {
	r.checks.Wait()
	select {
	case err := <-r.results:
		return err
	default:
		return nil
	}
}

// Ends the last episode.
func (r *run) last() error {
	s, err := r.machine.start()
	if err != nil {
		return err
	}
	defer s.kill()
	address, err := s.serves()
	if err == nil && address == "" {
		err = found("serve ended with %s instead of serving: %s", s.command.ProcessState, s.says())
	}
	if err != nil {
		return err
	}
	return r.readAll(address, 0)
}

// Keeps the database for the analysis of what was found.
func (r *run) keep() {
	files, err := readDatabase(r.machine.folder())
	if err == nil {
		err = os.MkdirAll(r.out, 0o755)
	}
	if err == nil {
		err = writeDatabase(r.out, files)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "kill-serve:", err)
	}
}
