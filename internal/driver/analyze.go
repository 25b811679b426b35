package driver

import (
	"context"

	"github.com/deliverylint/deliverylint/internal/catalog"
	"github.com/deliverylint/deliverylint/internal/finding"
	"github.com/deliverylint/deliverylint/internal/load"
)

// analyze runs the rules over loaded packages. There are no rules yet.
func analyze(_ context.Context, res *load.Result, _ *catalog.Catalog, _ []rule) ([]finding.Finding, []load.Error, Stats) {
	return nil, nil, Stats{Packages: len(res.Packages)}
}
