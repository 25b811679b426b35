package wire

import (
	"bufio"
	"encoding/binary"
	"io"
)

const methodFrame, basic = 1, 60

// amqpRequests are the methods of the class basic that count.
func amqpRequests(method uint16) string {
	switch method {
	case 40:
		return "publish"
	case 80:
		return "ack"
	case 90:
		return "reject"
	case 120:
		return "nack"
	}
	return ""
}

// amqp counts what is published, and acks.
func amqp(g *Gate, from *bufio.Reader, to io.Writer) error {
	if _, err := io.CopyN(to, from, 8); err != nil { // the protocol's name
		return err
	}
	for {
		head, err := from.Peek(7)
		if err != nil {
			return err
		}
		frame := make([]byte, 7+binary.BigEndian.Uint32(head[3:])+1)
		if _, err := io.ReadFull(from, frame); err != nil {
			return err
		}
		if frame[0] == methodFrame && binary.BigEndian.Uint16(frame[7:]) == basic {
			what := amqpRequests(binary.BigEndian.Uint16(frame[9:]))
			if what != "" && !g.pass(Request{Broker, what}) {
				return io.EOF
			}
		}
		if _, err := to.Write(frame); err != nil {
			return err
		}
	}
}
