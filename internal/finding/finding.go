// Package finding holds what a rule reports: one message that tells the crash
// story, the steps that lead to it, and the change that mends it.
package finding

import "go/token"

// Tier says how sure a finding is meant to be.
type Tier string

// The tiers. A run at tier warning shows both.
const (
	Error   Tier = "error"
	Warning Tier = "warning"
)

// Evidence says what a finding rests on.
type Evidence string

// The kinds of evidence, strongest first.
const (
	// Proven: every call on the way is in the catalog or in code that was read.
	Proven Evidence = "proven"
	// Declared: a directive or the configuration said so.
	Declared Evidence = "declared"
	// ByName: only the name of a type or method says so.
	ByName Evidence = "by name"
)

// Step is one line of the story, in execution order.
type Step struct {
	// Pos is the place; Line and Column are 1-based, Column counts bytes.
	Pos     token.Position
	Message string
	// Crash marks the step at which a crash or failure does the harm.
	Crash bool
}

// Edit replaces the bytes Start to End (0-based offsets in the file as it is on
// disk) by NewText.
type Edit struct {
	File       string
	Start, End int
	NewText    string
}

// Fix is a change that mends a finding.
type Fix struct {
	Message string
	Edits   []Edit
}

// Overwrite is a write of a state that replaces whatever the row holds.
type Overwrite struct {
	// Calls lead from the one that is given the statement down to the library's.
	Calls []token.Position
	// Column is the state's; Order, "" for none, that of a version which is taken from the
	// message beside it.
	Column, Order string
	// Values are the constants that are stored there, by whoever runs the statement; Open
	// says that a message may bring others. Known are those that the code stores in the
	// column anywhere, the same among them.
	Values, Known []string
	Open          bool
	// Optimistic says of an entity that is loaded and stored that it is stored only if nobody
	// has changed it in between.
	Optimistic bool
}

// Finding is one reported place.
type Finding struct {
	// Rule is the analyzer's name, Category its story (after-commit).
	Rule, Category string
	Tier           Tier
	Evidence       Evidence
	// Pos and End delimit the call that the finding points at.
	Pos, End token.Position
	// Package is the import path, Function the function within it, written
	// (*Service).Pay; Callee is the symbol called at Pos, for the fingerprint.
	Package, Function, Callee string
	Message                   string
	Flow                      []Step
	Fixes                     []Fix
	// Overwrite is what a fix has to know of a write and no place of the code tells; nil
	// where there is nothing.
	Overwrite *Overwrite
	// Fingerprint identifies the finding across edits elsewhere in the file.
	Fingerprint string
}

// Name is rule and category as users write it: publishoutsidetx/after-commit.
func (f *Finding) Name() string { return f.Rule + "/" + f.Category }

// DirectiveRule and DirectiveCategory name the findings about ignore comments
// themselves.
const (
	DirectiveRule     = "deliverylint"
	DirectiveCategory = "directive"
	DirectiveName     = DirectiveRule + "/" + DirectiveCategory
)

// BaselineCategory names the findings about entries of a baseline that nothing is
// found of any more.
const (
	BaselineCategory = "baseline"
	BaselineName     = DirectiveRule + "/" + BaselineCategory
)
