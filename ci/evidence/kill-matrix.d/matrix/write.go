package matrix

import (
	"fmt"
	"sort"
	"strings"
)

func (c Column) percent() string {
	if c.Asked == 0 {
		return "not asked"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(c.Caught)/float64(c.Asked))
}

func (c Column) of() string { return fmt.Sprintf("%d of %d", c.Caught, c.Asked) }

// Terminal is the summary and what lives.
func (m *Matrix) Terminal() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%-24s %6s %10s  %-22s %-22s %s\n", "PART", "FAULTS", "EQUIVALENT", "NODEBOUND", "UNIT TESTS", "INTEGRATION TESTS")
	for _, c := range m.Counts(func(r Row) string { return r.Part }) {
		fmt.Fprintf(&out, "%-24s %6d %10d  %12s %9s %12s %9s %12s\n", c.Name, c.Faults, c.Equivalent, c.Nodebound.of(),
			c.Nodebound.percent(), c.Unit.of(), c.Unit.percent(), c.Integration.of())
	}
	for _, row := range m.Living() {
		fmt.Fprintf(&out, "LIVES %s (%s:%d): %s%s\n", row.ID, row.File, row.Line, row.What, m.others(row))
	}
	return out.String()
}

func (m *Matrix) others(row Row) string {
	switch {
	case row.byUnit() && row.byIntegration():
		return "; unit and integration tests catch it"
	case row.byUnit():
		return "; unit tests catch it: " + row.Unit.Test
	case row.byIntegration():
		return "; integration tests catch it: " + row.Integration.Test
	}
	return ""
}

// Markdown is the page.
func (m *Matrix) Markdown() string {
	var out strings.Builder
	counts := m.Counts(func(r Row) string { return r.Part })
	total := counts[len(counts)-1]
	fmt.Fprintf(&out, "# Who notices faults in Kubernetes %s\n\n", m.Version)
	fmt.Fprintf(&out, "%s, `%s`. How it is made is told in [README.md](README.md).\n\n", m.Date, m.Command)
	fmt.Fprintf(&out, "There are %d faults; %d are [equivalent](equivalents/%s.toml) and do not count below.\n\n",
		total.Faults, total.Equivalent, m.Page)
	fmt.Fprintf(&out, "| | faults asked about | caught | |\n|---|---:|---:|---:|\n")
	for _, one := range []struct {
		name string
		Column
	}{{"Nodebound", total.Nodebound}, {"upstream's unit tests", total.Unit}, {"upstream's integration tests", total.Integration}} {
		fmt.Fprintf(&out, "| %s | %d | %d | %s |\n", one.name, one.Asked, one.Caught, one.percent())
	}
	fmt.Fprintf(&out, "\nOf the %d that Nodebound catches, %d by the words of a refusal alone (`--exact-reasons`), %d because a check "+
		"could not be judged. Asking ends with the first check that fails. Of what it does not catch, upstream's tests catch %d.\n",
		total.Nodebound.Caught, total.WordsAlone, total.UnjudgedAlone, total.TestsAlone)
	noticeable := Column{total.Nodebound.Asked - total.UnseenLiving, total.Nodebound.Caught}
	fmt.Fprintf(&out, "\nOf the %d that it lets live, %d are such as no request brings about or sees, each with its reason; of the others "+
		"it catches %s.\n", len(m.Living()), total.UnseenLiving, noticeable.percent())
	fmt.Fprintf(&out, "\n## By part\n\n")
	m.table(&out, "part", counts)
	m.times(&out)
	m.writeLiving(&out)
	fmt.Fprintf(&out, "\n## By kind of fault\n\n")
	m.table(&out, "kind", m.Counts(func(r Row) string { return r.Kind + ", " + variant(r.ID) }))
	fmt.Fprintf(&out, "\n## By function\n\n")
	m.table(&out, "function", m.Counts(func(r Row) string { return r.Part + "." + r.Function }))
	return out.String()
}

func variant(id string) string { return id[strings.LastIndex(id, ".")+1:] }

func (m *Matrix) table(out *strings.Builder, name string, counts []Count) {
	fmt.Fprintf(out, "| %s | faults | equivalent | Nodebound | | unit tests | | integration tests |\n", name)
	fmt.Fprintf(out, "|---|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, c := range counts {
		fmt.Fprintf(out, "| %s | %d | %d | %s | %s | %s | %s | %s |\n", c.Name, c.Faults, c.Equivalent, c.Nodebound.of(),
			c.Nodebound.percent(), c.Unit.of(), c.Unit.percent(), c.Integration.of())
	}
}

// times tells how soon a fault is noticed.
func (m *Matrix) times(out *strings.Builder) {
	var ours, unit, integration []float64
	how := map[string]int{}
	for _, row := range m.Rows {
		if row.byNodebound() {
			ours = append(ours, row.Nodebound.Seconds)
			how[row.Nodebound.How]++
		}
		if row.byUnit() {
			unit = append(unit, row.Unit.Seconds)
		}
		if row.byIntegration() {
			integration = append(integration, row.Integration.Seconds)
		}
	}
	fmt.Fprintf(out, "\n## In what time\n\n| | seconds until a fault is caught, median | nine of ten | longest |\n|---|---:|---:|---:|\n")
	for _, one := range []struct {
		name  string
		times []float64
	}{{"Nodebound", ours}, {"unit tests", unit}, {"integration tests", integration}} {
		if sort.Float64s(one.times); len(one.times) > 0 {
			last := len(one.times) - 1
			fmt.Fprintf(out, "| %s | %.1f | %.1f | %.1f |\n", one.name, one.times[last/2], one.times[last*9/10], one.times[last])
		}
	}
	var kinds []string
	for kind := range how {
		kinds = append(kinds, kind)
	}
	sort.Strings(kinds)
	fmt.Fprintf(out, "\nHow Nodebound notices: ")
	for i, kind := range kinds {
		fmt.Fprintf(out, "%s%s (%d)", map[bool]string{true: ", "}[i > 0], kind, how[kind])
	}
	fmt.Fprintf(out, ".\n")
}

// why says what the fault is, and what is known of why it lives.
func (m *Matrix) why(row Row) string {
	switch {
	case row.Unseen != "":
		return row.What + ". " + row.Unseen
	case !row.Nodebound.Met:
		return row.What + "; no scenario comes by"
	case row.Nodebound.Partly:
		return row.What + "; not all scenarios that come by were asked"
	}
	return row.What
}

func (m *Matrix) writeLiving(out *strings.Builder) {
	living := m.Living()
	if len(living) == 0 {
		return
	}
	fmt.Fprintf(out, "\n## What Nodebound lets live\n\n| fault | where | what | else caught by |\n|---|---|---|---|\n")
	for _, row := range living {
		fmt.Fprintf(out, "| `%s` | %s:%d | %s | %s |\n", row.ID, row.File, row.Line, m.why(row),
			strings.TrimPrefix(m.others(row), "; "))
	}
}
