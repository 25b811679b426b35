package settings

import (
	"github.com/deliverylint/deliverylint/analyzers"
	"github.com/deliverylint/deliverylint/internal/catalog"
)

// Schema is the JSON Schema of the user's file.
func Schema(rules []analyzers.Rule) ([]byte, error) {
	return catalog.Schema(Names(rules))
}
