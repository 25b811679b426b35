package readonly

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"

	"github.com/nats-io/nats.go"
)

// Printers changes things that are in no database of ours, and tells.
type Printers struct {
	client *http.Client
	nc     *nats.Conn
	dir    string
}

// Print has another service do it, and repeats what that has said.
func (p *Printers) Print(ctx context.Context, doc string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://printers.example/jobs", strings.NewReader(doc))
	if err != nil {
		return err
	}
	req.Header.Set("Idempotency-Key", doc)
	resp, err := p.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		return p.nc.Publish("prints.refused", []byte(doc))
	}
	return p.nc.Publish("prints.taken", []byte(doc))
}

// Archive writes a file.
func (p *Printers) Archive(doc string, body []byte) error {
	if err := os.WriteFile(p.dir+"/"+doc, body, 0o600); err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	return p.nc.Publish("prints.archived", []byte(doc))
}

// Split forwards one message as several.
func (p *Printers) Split(m *nats.Msg) error {
	for _, part := range strings.Split(string(m.Data), "\n") {
		if err := p.nc.Publish("prints.part", []byte(part)); err != nil {
			return err
		}
	}
	return nil
}
