package effect

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// markNamedWebhooks lists the endpoints that by their names serve a provider's messages
// and check no signature, or one that isn't known: people count them as handlers. To the
// rules those are none that aren't called webhooks (namedWebhook), since nothing proves that
// anybody delivers again.
func (p *Program) markNamedWebhooks() {
	const lasting = Writes | Publishes | Outboxes | Transacts | Outside
	for _, s := range p.Order {
		f := p.Funcs[s]
		if _, known := p.Handlers[s]; known || f.Test || f.Synthetic || f.Parent != "" || p.Reach[s]&lasting == 0 {
			continue
		}
		if f.takesRequest() && namesWebhook(f) && f.readsBody() && !browsed(f) {
			p.Passed[s] = Handler{Symbol: s, Way: ByWebhook, Broker: "http", Ack: AckResponse, OnError: Redeliver, Messages: messageParams(f, ByWebhook)}
		}
	}
}

// markPushed lists the endpoints that Pub/Sub pushes to, told by the envelope that they
// decode.
func (p *Program) markPushed() {
	for _, s := range p.Order {
		f := p.Funcs[s]
		if f.Test || !slices.ContainsFunc(f.Nodes, func(n *Node) bool { return n != nil && n.Pushed }) {
			continue
		}
		for _, server := range p.servers(f, 3) {
			if _, known := p.Handlers[server]; !known {
				g := p.Funcs[server]
				p.Passed[server] = Handler{Symbol: server, Way: ByWebhook, Broker: "pubsub", Ack: AckResponse, OnError: Redeliver, Messages: messageParams(g, ByWebhook)}
			}
		}
	}
}

// takesPush: a pointer to an envelope with a message and the subscription it comes from.
func takesPush(v ssa.Value) bool {
	if m, ok := v.(*ssa.MakeInterface); ok {
		v = m.X
	}
	ptr, ok := v.Type().Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	s, ok := ptr.Elem().Underlying().(*types.Struct)
	if !ok || s.NumFields() > 4 {
		return false
	}
	message, subscription := false, false
	for f := range s.Fields() {
		message = message || f.Name() == "Message"
		subscription = subscription || f.Name() == "Subscription" && isString(f.Type())
	}
	return message && subscription
}

// namesWebhook: the function's name is that of an endpoint for a provider, not of one
// that manages webhooks or logs people in.
func namesWebhook(f *Func) bool {
	l := strings.ToLower(f.ownName())
	handling := slices.ContainsFunc([]string{"handle", "process", "receive", "on"}, func(verb string) bool { return strings.HasPrefix(l, verb) })
	for _, other := range []string{"oauth", "login", "sso", "signin", "mock", "test", "verify", "valid"} {
		if strings.Contains(l, other) {
			return false
		}
	}
	for _, verb := range []string{
		"create", "list", "get", "delete", "update", "register", "add", "remove", "send", "new", "enable", "disable",
		"find", "save", "edit", "show", "resend", "retry", "set", "subscribe", "unsubscribe", "trigger",
	} {
		if strings.HasPrefix(strings.TrimPrefix(l, "handle"), verb) {
			return false
		}
	}
	switch {
	case strings.Contains(l, "webhook"):
		return handling || strings.HasSuffix(l, "webhook") || strings.HasSuffix(l, "webhookhandler") || strings.HasSuffix(l, "webhookevent")
	case strings.Contains(l, "notification"):
		return strings.HasSuffix(l, "notificationhandler") || handling && strings.HasSuffix(l, "notification")
	case strings.Contains(l, "callback"):
		return hasAny(l, "pay", "order", "transaction", "checkout", "invoice", "refund")
	}
	return false
}

// readsBody: the function takes its request's body apart.
func (f *Func) readsBody() bool {
	return slices.ContainsFunc(f.Nodes, func(n *Node) bool {
		if n == nil || n.Kind != NodeCall {
			return false
		}
		name := strings.ToLower(n.Text[strings.LastIndexByte(n.Text, '.')+1:])
		return strings.Contains(name, "bind") || slices.Contains([]string{"bodyparser", "decode", "readall", "unmarshal", "getrawdata", "body", "parseform", "postform"}, name)
	})
}
