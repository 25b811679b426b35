package wire

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"strings"
)

// postgres counts simple queries, and what is executed up to each Sync. Statements
// that are only prepared, and pings, are no requests.
func postgres(g *Gate, from *bufio.Reader, to io.Writer) error {
	if err := startup(from, to); err != nil {
		return err
	}
	s := &session{prepared: map[string]string{}}
	for {
		kind, payload, err := s.read(from)
		if err != nil {
			return err
		}
		s.note(kind, payload)
		if !strings.ContainsRune("SQHXpdcf", rune(kind)) {
			continue
		}
		if text := s.text; text != "" && !strings.HasPrefix(text, "-- ping") && !g.pass(Request{Database, text}) {
			return io.EOF
		}
		if _, err := to.Write(s.buffer.Bytes()); err != nil {
			return err
		}
		s.buffer.Reset()
		s.text = ""
	}
}

// startup hands on what comes before the first message that has a kind.
func startup(from *bufio.Reader, to io.Writer) error {
	for {
		head, err := from.Peek(8)
		if err != nil {
			return err
		}
		code := binary.BigEndian.Uint32(head[4:])
		if _, err := io.CopyN(to, from, int64(binary.BigEndian.Uint32(head))); err != nil {
			return err
		}
		if code>>16 == 3 { // else it asks for encryption, or cancels something
			return nil
		}
	}
}

// session is what a client has said since the last Sync.
type session struct {
	buffer   bytes.Buffer
	prepared map[string]string
	bound    string
	// text is what is executed.
	text string
}

func (s *session) read(from *bufio.Reader) (kind byte, payload []byte, err error) {
	head := make([]byte, 5)
	if _, err := io.ReadFull(from, head); err != nil {
		return 0, nil, err
	}
	payload = make([]byte, binary.BigEndian.Uint32(head[1:])-4)
	if _, err := io.ReadFull(from, payload); err != nil {
		return 0, nil, err
	}
	s.buffer.Write(head)
	s.buffer.Write(payload)
	return head[0], payload, nil
}

func (s *session) note(kind byte, payload []byte) {
	first, rest, _ := bytes.Cut(payload, []byte{0})
	second, _, _ := bytes.Cut(rest, []byte{0})
	switch kind {
	case 'P':
		s.prepared[string(first)] = string(second)
	case 'B':
		s.bound = s.prepared[string(second)]
	case 'E':
		s.text += s.bound + ";"
	case 'Q':
		s.text = string(first)
	}
}
