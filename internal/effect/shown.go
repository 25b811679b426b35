package effect

import "strings"

// OnlyShown reports whether the module takes messages of a broker, and all that takes them
// hands them on to people who look: nothing that it does is known to last, and it sends on a
// channel or through a websocket.
func (p *Program) OnlyShown(broker string) bool {
	const lasts = Writes | Publishes | Outboxes | Transacts | Outside | Remembering
	found := false
	for _, known := range []map[string]Handler{p.Handlers, p.Dispatched, p.Passed} {
		for s, h := range known {
			f := p.Funcs[s]
			if h.Broker != broker || f == nil || f.Test {
				continue
			}
			if p.Reach[s]&lasts != 0 || p.anyReaches(p.dynamic(f), lasts) || !p.shows(f, 4, map[string]bool{}) {
				return false
			}
			found = true
		}
	}
	return found
}

// shows reports whether a function, or what it calls, sends on a channel or through a
// websocket, and calls no library that may keep what it is given.
func (p *Program) shows(f *Func, depth int, seen map[string]bool) bool {
	sends := false
	return p.visitShown(f, depth, seen, &sends) && sends
}

func (p *Program) visitShown(f *Func, depth int, seen map[string]bool, sends *bool) bool {
	if f == nil || depth == 0 || seen[f.Symbol] {
		return true
	}
	seen[f.Symbol] = true
	for _, n := range f.Nodes {
		if n == nil {
			continue
		}
		*sends = *sends || n.Kind == NodeSend || len(n.Sent) > 0 || hasAny(strings.ToLower(n.Static), "websocket", "melody", "socketio", "socket.io")
		if n.Kind > NodeDefer || n.Entry != nil {
			continue
		}
		below := p.runsAny(f, n)
		if len(below) == 0 && mayKeep(n.Static) {
			return false
		}
		for _, s := range below {
			if !p.visitShown(p.Funcs[s], depth-1, seen, sends) {
				return false
			}
		}
	}
	return true
}

// mayKeep: a library beside the standard one, that is not known to log, to encode or to serve.
func mayKeep(symbol string) bool {
	l := strings.ToLower(strings.TrimLeft(symbol, "(*"))
	host, _, path := strings.Cut(l, "/")
	return path && strings.Contains(host, ".") && !hasAny(l, "log", "zap", "otel", "opentelemetry", "opentracing", "prometheus", "sentry", "json", "proto", "msgpack", "uuid", "errors",
		"websocket", "melody", "socket", "gin-gonic", "fiber", "echo", "graphql", "golang.org/x/", "nats", "redis", "cloudevents")
}
