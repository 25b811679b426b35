package effect

import "strings"

// configure lets the configuration of a consumer decide what acks.
func (p *Program) configure(h *Handler, makers []*Node) {
	for _, n := range makers {
		e := n.Entry
		path, name := e.Symbol.Package, e.Symbol.Name
		switch {
		case strings.HasSuffix(path, "amqp091-go") || strings.HasSuffix(path, "streadway/amqp"):
			p.amqp(n, h, name)
		case strings.HasSuffix(path, "segmentio/kafka-go"):
			n.kafkaGo(h, name)
		case strings.Contains(path, "confluent-kafka-go"):
			n.confluent(h, name)
		case strings.HasSuffix(path, "franz-go/pkg/kgo"):
			n.franz(h, name)
		case strings.HasSuffix(path, "nats.go"):
			n.nats(h)
		case strings.HasSuffix(path, "nats.go/jetstream"):
			n.jetstream(h)
		case strings.HasSuffix(path, "azservicebus"):
			n.deleting(h)
		case name == "XReadGroup":
			if v, _ := n.SettingOf("NoAck"); v == "true" {
				h.Ack, h.OnError, h.Early = AckAuto, Drop, true
			}
		case strings.HasSuffix(name, "Pop") && e.Broker == "redis":
			h.Early = h.Ack == AckAuto // what is popped is gone
		case strings.HasSuffix(path, "stan.go"):
			n.manual(h, "SetManualAckMode")
		}
	}
}

// amqp: the autoAck argument.
func (p *Program) amqp(n *Node, h *Handler, name string) {
	arg := map[string]string{"Consume": "#2", "ConsumeWithContext": "#3", "Get": "#1"}[name]
	if arg == "" {
		return
	}
	given, _ := n.SettingOf(arg)
	switch v := p.constant(given); {
	case !n.has(arg) || v == "" && given != "":
		h.Ack, h.OnError = "", "" // a variable tells
	case v == "true":
		h.Ack, h.OnError, h.Early = AckAuto, Drop, true
	default:
		h.Ack, h.OnError = AckExplicit, Redeliver
	}
}

// kafkaGo: ReadMessage commits before it returns, if there is a group.
func (n *Node) kafkaGo(h *Handler, name string) {
	if name == "ReadMessage" && n.Entry.Symbol.Type == "Reader" {
		h.Ack, h.OnError = "", "" // the constructor tells
		return
	}
	if name != "NewReader" {
		return
	}
	switch v, known := n.SettingOf("GroupID"); {
	case n.has("GroupID") && v != "":
		if h.Ack == "" {
			h.Ack, h.OnError, h.Early = AckAuto, Skip, true
		}
	case known && v == "":
		h.Ack, h.OnError, h.Early = AckNone, Skip, false
	}
}

// confluent: enable.auto.commit is on unless it is switched off; with
// enable.auto.offset.store off, only what is stored is committed.
func (n *Node) confluent(h *Handler, name string) {
	if name != "NewConsumer" {
		h.Ack = ""
		return
	}
	commit, known := n.SettingOf("enable.auto.commit")
	store, storeKnown := n.SettingOf("enable.auto.offset.store")
	switch {
	case isFalse(commit), isFalse(store) && storeKnown:
		h.Ack = AckOffset
	case known && !n.has("enable.auto.commit"), strings.EqualFold(commit, "true"):
		h.Ack, h.OnError, h.Early = AckAuto, Skip, true
	}
}

func isFalse(v string) bool { return strings.EqualFold(v, "false") }

// franz: a client with a group commits at a poll what the poll before returned,
// unless an option says otherwise.
func (n *Node) franz(h *Handler, name string) {
	if name != "NewClient" {
		h.Ack = ""
		return
	}
	switch {
	case n.has("DisableAutoCommit"), n.has("AutoCommitMarks"):
		h.Ack = AckOffset
	case !n.complete():
	case n.has("ConsumerGroup"):
		h.Ack, h.OnError = AckAuto, Skip
	default:
		h.Ack, h.OnError = AckNone, Skip
	}
}

// deleting: a receiver of Service Bus whose mode is ReceiveAndDelete, 1 in the
// enumeration.
func (n *Node) deleting(h *Handler) {
	if v, _ := n.SettingOf("ReceiveMode"); v == "1" {
		h.Ack, h.OnError, h.Early = AckAuto, Drop, true
	}
}

// nats: of JetStream's callbacks, returning acks unless ManualAck is given.
func (n *Node) nats(h *Handler) {
	switch {
	case n.Entry.Symbol.Type == "Conn" || n.Entry.Symbol.Type == "EncodedConn":
		h.Ack, h.OnError = AckAuto, Drop
	case n.has("AckNone"):
		h.Ack, h.OnError, h.Early = AckAuto, Drop, true
	case n.Entry.Symbol.Type == "JetStream" && strings.HasSuffix(n.Entry.Symbol.Name, "Subscribe") && !strings.Contains(n.Entry.Symbol.Name, "Chan") && !strings.Contains(n.Entry.Symbol.Name, "Pull"):
		n.manual(h, "ManualAck")
	}
	if n.has("AckAll") {
		h.Cumulative = true
	}
}

// manual: returning from the callback acks unless an option leaves that to it.
func (n *Node) manual(h *Handler, option string) {
	switch {
	case n.has(option):
		h.Ack, h.OnError = AckExplicit, Redeliver
	case n.complete():
		h.Ack, h.OnError = AckReturn, Drop
	default:
		h.Ack, h.OnError = "", ""
	}
}

// jetstream: the policy of the consumer's configuration; explicit is 0, none 2
// and all 1 in the enumeration.
func (n *Node) jetstream(h *Handler) {
	switch v, _ := n.SettingOf("AckPolicy"); v {
	case "1":
		h.Cumulative = true
	case "2":
		h.Ack, h.OnError, h.Early = AckAuto, Drop, true
	}
	if n.Entry.Symbol.Name == "OrderedConsumer" {
		h.Ack, h.OnError = AckAuto, Drop
	}
}
