package wire

import (
	"encoding/binary"
	"io"
	"net"
	"slices"
	"testing"
	"time"
)

func TestRequests(t *testing.T) {
	for _, test := range []struct {
		name   string
		listen func(*Gate, string) (*Proxy, error)
		says   string
		want   []string
	}{
		{"postgres", Postgres, startupMessage() + message('Q', "BEGIN\x00") +
			message('P', "s1\x00UPDATE t\x00\x00\x00") + message('D', "Ss1\x00") + message('S', "") +
			message('B', "\x00s1\x00\x00\x00\x00\x00\x00\x00") + message('E', "\x00\x00\x00\x00\x00") + message('S', "") +
			message('Q', "-- ping\x00") + message('X', ""), []string{"BEGIN", "UPDATE t;"}},
		{"nats", NATS, "CONNECT {}\r\nPUB $JS.API.INFO r 0\r\n\r\nPUB orders.paid r 3\r\nPUB\r\nHPUB orders.sent 4 6\r\nNATSok\r\nPUB $JS.ACK.x 4\r\n+ACK\r\nPING\r\n",
			[]string{"orders.paid", "orders.sent", "+ACK"}},
		{"amqp", AMQP, "AMQP\x00\x00\x09\x01" + frame(1, 10, 11, "start-ok") + frame(1, 60, 80, "tag") + frame(8, 0, 0, "") + frame(1, 60, 40, "publish"),
			[]string{"ack", "publish"}},
	} {
		gate := NewGate()
		server, heard := listener(t)
		client := connect(t, gate, test.listen, server)
		if _, err := io.WriteString(client, test.says); err != nil {
			t.Fatal(err)
		}
		client.(*net.TCPConn).CloseWrite()
		if got := <-heard; got != test.says {
			t.Errorf("%s: the server hears %q", test.name, got)
		}
		var got []string
		for _, r := range gate.Requests() {
			got = append(got, r.Text)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: counts %q", test.name, got)
		}
	}
}

func TestHeld(t *testing.T) {
	for _, pass := range []bool{true, false} {
		gate := NewGate()
		held := gate.Arm(1)
		server, heard := listener(t)
		client := connect(t, gate, NATS, server)
		if _, err := io.WriteString(client, "PUB a 0\r\n\r\nPUB b 0\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		select {
		case r := <-held:
			if r.Text != "b" || r.Kind != Broker {
				t.Errorf("held: %v", r)
			}
		case <-time.After(10 * time.Second):
			t.Fatal("nothing is held")
		}
		want := "PUB a 0\r\n\r\n"
		if pass {
			gate.Let()
			want += "PUB b 0\r\n\r\n"
		} else {
			gate.Cut()
		}
		client.(*net.TCPConn).CloseWrite()
		if got := <-heard; got != want {
			t.Errorf("pass %v: the server hears %q", pass, got)
		}
	}
}

// listener is a server that hears one client to its end.
func listener(t *testing.T) (address string, heard <-chan string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	all := make(chan string, 1)
	go func() {
		conn, err := l.Accept()
		if err != nil {
			all <- err.Error()
			return
		}
		defer conn.Close()
		text, _ := io.ReadAll(conn) // up to where it is cut off
		all <- string(text)
	}()
	return l.Addr().String(), all
}

func connect(t *testing.T, g *Gate, listen func(*Gate, string) (*Proxy, error), server string) net.Conn {
	t.Helper()
	p, err := listen(g, server)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	conn, err := net.Dial("tcp", p.Address())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

func startupMessage() string {
	text := binary.BigEndian.AppendUint32(nil, 8+7)
	return string(binary.BigEndian.AppendUint32(text, 3<<16)) + "user\x00x\x00"
}

func message(kind byte, payload string) string {
	return string(binary.BigEndian.AppendUint32([]byte{kind}, uint32(4+len(payload)))) + payload
}

func frame(kind byte, class, method uint16, rest string) string {
	payload := binary.BigEndian.AppendUint16(nil, class)
	payload = append(binary.BigEndian.AppendUint16(payload, method), rest...)
	text := binary.BigEndian.AppendUint32([]byte{kind, 0, 1}, uint32(len(payload)))
	return string(text) + string(payload) + "\xce"
}
