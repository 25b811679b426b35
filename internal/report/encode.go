package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
)

// writeJSON writes one indented document. It is encoded as a whole first, so that
// nothing is written of one that can't be.
func writeJSON(w io.Writer, doc any) error {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(doc); err != nil {
		return fmt.Errorf("encoding findings: %w", err)
	}
	_, err := w.Write(buf.Bytes())
	return err
}

// writeXML does the same in XML.
func writeXML(w io.Writer, doc any) error {
	text, err := xml.MarshalIndent(doc, "", " ")
	if err != nil {
		return fmt.Errorf("encoding findings: %w", err)
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	return err
}
