package suite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"time"
)

// Suite is the program nodebound and its scenarios.
type Suite struct {
	Program string
	Folder  string // for reports
}

// Verdict is what a run of the suite said.
type Verdict struct {
	Failed       []string `json:"failed"`       // checks that failed
	Words        []string `json:"words"`        // those of them that were decided rightly, but refused in other words
	Rules        []string `json:"rules"`        // rules that were broken
	Inconclusive []string `json:"inconclusive"` // checks that were answered with an error, or not at all
	Broke        string   `json:"broke"`        // how the server ended
	Unclear      string   `json:"unclear"`      // why the run said nothing, though the server is there
	Seconds      float64  `json:"seconds"`
}

// Caught tells whether a run would turn CI red.
func (v Verdict) Caught() bool { return len(v.Failed)+len(v.Inconclusive) > 0 || v.Broke != "" }

// Noticed tells whether the report says anything but that all is well.
func (v Verdict) Noticed() bool { return v.Caught() || v.Unclear != "" }

var checkLine = regexp.MustCompile(`(?m)^(\S+?/[^/\[\s]+(?:\[[^\]]*\])?)/\S`)

// Scenarios are the ids of all scenarios.
func (s Suite) Scenarios() ([]string, error) {
	out, err := exec.Command(s.Program, "run", "--dry-run").Output()
	if err != nil {
		return nil, fmt.Errorf("%s run --dry-run: %w", s.Program, err)
	}
	seen := map[string]bool{}
	for _, match := range checkLine.FindAllStringSubmatch(string(out), -1) {
		seen[match[1]] = true
	}
	var ids []string
	for id := range seen {
		ids = append(ids, id)
	}
	sort.Strings(ids)
	return ids, nil
}

// Run asks the scenarios of a server, as a guest on it. With failFast it stops at the first failure.
func (s Suite) Run(server *Server, scenarios []string, jobs int, failFast bool) Verdict {
	quoted := make([]string, len(scenarios))
	for i, id := range scenarios {
		quoted[i] = regexp.MustCompile(`[\[\]().+*?^$|{}\\]`).ReplaceAllString(id, `\$0`)
	}
	out := filepath.Join(s.Folder, filepath.Base(server.folder))
	_ = os.Remove(filepath.Join(out, "report.json"))
	arguments := append([]string{"run", "--out", out, "--exact-reasons", "--focus", "^(" + strings.Join(quoted, "|") + ")$",
		fmt.Sprintf("--jobs=%d", jobs)}, server.Target()...)
	if failFast {
		arguments = append(arguments, "--fail-fast")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	start := time.Now()
	command := exec.CommandContext(ctx, s.Program, arguments...)
	command.Env = server.environment()
	said, err := command.CombinedOutput()
	verdict, readErr := readReport(filepath.Join(out, "report.json"))
	verdict.Seconds = time.Since(start).Seconds()
	var exit *exec.ExitError
	switch {
	case !server.Alive():
		verdict.Broke = "the server ended"
	case ctx.Err() != nil:
		verdict.Unclear = "no end within five minutes"
	case readErr != nil:
		verdict.Unclear = "no report: " + lastLine(string(said))
	case err != nil && !errors.As(err, &exit):
		verdict.Unclear = err.Error()
	}
	return verdict
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

func readReport(path string) (Verdict, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return Verdict{}, err
	}
	var report struct {
		Summary struct {
			BrokenRules []string `json:"broken_rules"`
		}
		Checks []struct {
			ID, Verdict string
			Reason      struct{ Match *bool }
		}
	}
	if err := json.Unmarshal(content, &report); err != nil {
		return Verdict{}, err
	}
	verdict := Verdict{Rules: report.Summary.BrokenRules}
	for _, check := range report.Checks {
		switch check.Verdict {
		case "fail":
			verdict.Failed = append(verdict.Failed, check.ID)
			// Words are only compared where the decision is the right one.
			if check.Reason.Match != nil && !*check.Reason.Match {
				verdict.Words = append(verdict.Words, check.ID)
			}
		case "inconclusive":
			verdict.Inconclusive = append(verdict.Inconclusive, check.ID)
		}
	}
	return verdict, nil
}
