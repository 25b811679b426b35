package catalog

import (
	"testing"

	"github.com/deliverylint/deliverylint/analysistest"
)

// TestHandlers: what the libraries are given to call, and the loops over what they
// return, are handlers; the comments of the files say with which broker and ack.
func TestHandlers(t *testing.T) {
	analysistest.Handlers(t, ".", "./testdata/handlers/...")
}
