package wire

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// nats counts messages: what is published, and acks. What asks JetStream for the next
// message or for a consumer is no request.
func nats(g *Gate, from *bufio.Reader, to io.Writer) error {
	for {
		line, err := from.ReadString('\n')
		if err != nil {
			return err
		}
		words := strings.Fields(line)
		if len(words) < 3 || words[0] != "PUB" && words[0] != "HPUB" {
			if _, err := io.WriteString(to, line); err != nil {
				return err
			}
			continue
		}
		size, err := strconv.Atoi(words[len(words)-1])
		if err != nil {
			return fmt.Errorf("%q: %w", line, err)
		}
		body := make([]byte, size+2)
		if _, err := io.ReadFull(from, body); err != nil {
			return err
		}
		if !strings.HasPrefix(words[1], "$JS.API.") && !g.pass(Request{Broker, subject(words[1], body)}) {
			return io.EOF
		}
		if _, err := to.Write(append([]byte(line), body...)); err != nil {
			return err
		}
	}
}

func subject(name string, body []byte) string {
	if strings.HasPrefix(name, "$JS.ACK.") {
		return strings.TrimSpace(string(body))
	}
	return name
}
