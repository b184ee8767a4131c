package matrix

import (
	"fmt"
	"sort"

	"nodebound/kill_matrix/gotests"
	"nodebound/kill_matrix/rewrite"
	"nodebound/kill_matrix/suite"
)

// Row is what is known of one fault. What was not asked is nil.
type Row struct {
	rewrite.Fault
	Equivalent  string         `json:"equivalent,omitempty"` // the reason
	Unseen      string         `json:"unseen,omitempty"`     // why it cannot be seen from outside, though it is none
	Nodebound   *suite.Catch   `json:"nodebound"`
	Unit        *gotests.Catch `json:"unit"`
	Integration *gotests.Catch `json:"integration"`
}

// Matrix is all of one release.
type Matrix struct {
	Version string `json:"version"`
	Page    string `json:"page"` // of the release and the list of targets: names the equivalents
	Date    string `json:"date"`
	Command string `json:"command"`
	Rows    []Row  `json:"faults"`
}

// Add puts the rows together.
func (m *Matrix) Add(faults []rewrite.Fault, arguments *Arguments, ours map[string]suite.Catch,
	unit, integration map[string]gotests.Catch) error {
	equivalent, err := arguments.EquivalentFaults(faults)
	if err != nil {
		return err
	}
	unseen, err := reasons(arguments.Unseen, faults)
	if err != nil {
		return err
	}
	for _, fault := range faults {
		row := Row{Fault: fault, Equivalent: equivalent[fault.ID], Unseen: unseen[fault.ID]}
		if catch, ok := ours[fault.ID]; ok {
			row.Nodebound = &catch
		}
		if catch, ok := unit[fault.ID]; ok {
			row.Unit = &catch
		}
		if catch, ok := integration[fault.ID]; ok {
			row.Integration = &catch
		}
		if row.Equivalent != "" && (row.byNodebound() || row.byIntegration()) {
			return fmt.Errorf("%s is listed as equivalent, but it is caught", fault.ID)
		}
		m.Rows = append(m.Rows, row)
	}
	return nil
}

func (r Row) byNodebound() bool   { return r.Nodebound != nil && r.Nodebound.How != "" }
func (r Row) byUnit() bool        { return r.Unit != nil && r.Unit.How != "" }
func (r Row) byIntegration() bool { return r.Integration != nil && r.Integration.How != "" }

// Count is a line of the summary. What was asked of a column, and caught, does not count equivalent faults.
type Count struct {
	Name                         string
	Faults, Equivalent           int
	Nodebound, Unit, Integration Column
	// WordsAlone and UnjudgedAlone are caught by Nodebound, but not by a wrong decision.
	WordsAlone, UnjudgedAlone int
	// UnseenLiving: Nodebound lets them live, and no request brings them about or sees them.
	UnseenLiving int
	// TestsAlone: upstream's tests catch them, and Nodebound does not.
	TestsAlone int
}

// Column is what one of the three was asked, and caught.
type Column struct{ Asked, Caught int }

func (c *Column) add(asked, caught bool) {
	if asked {
		c.Asked++
	}
	if caught {
		c.Caught++
	}
}

func (c *Count) add(row Row) {
	c.Faults++
	if row.Equivalent != "" {
		c.Equivalent++
		return
	}
	c.Nodebound.add(row.Nodebound != nil, row.byNodebound())
	c.Unit.add(row.Unit != nil, row.byUnit())
	c.Integration.add(row.Integration != nil, row.byIntegration())
	if row.Nodebound == nil {
		return
	}
	switch row.Nodebound.How {
	case "":
		if row.Unseen != "" {
			c.UnseenLiving++
		}
		if row.byUnit() || row.byIntegration() {
			c.TestsAlone++
		}
	case suite.OtherWords:
		c.WordsAlone++
	case suite.Inconclusive:
		c.UnjudgedAlone++
	}
}

// Counts are the parts' and, last, the total.
func (m *Matrix) Counts(name func(Row) string) []Count {
	total := Count{Name: "total"}
	byName := map[string]*Count{}
	var order []string
	for _, row := range m.Rows {
		key := name(row)
		if byName[key] == nil {
			byName[key] = &Count{Name: key}
			order = append(order, key)
		}
		byName[key].add(row)
		total.add(row)
	}
	sort.Strings(order)
	var counts []Count
	for _, key := range order {
		counts = append(counts, *byName[key])
	}
	return append(counts, total)
}

// Living are the faults that are not equivalent and that nodebound does not catch.
func (m *Matrix) Living() []Row {
	var living []Row
	for _, row := range m.Rows {
		if row.Equivalent == "" && row.Nodebound != nil && !row.byNodebound() {
			living = append(living, row)
		}
	}
	return living
}

// Unexplained are the ids of counted faults that nodebound was not asked about, or that survive without a stated
// reason.
func (m *Matrix) Unexplained() []string {
	var ids []string
	for _, row := range m.Rows {
		if row.Equivalent == "" && !row.byNodebound() && (row.Nodebound == nil || row.Unseen == "") {
			ids = append(ids, row.ID)
		}
	}
	return ids
}
