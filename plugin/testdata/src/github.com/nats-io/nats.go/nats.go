// Package nats stands for the library of that name.
package nats

type Conn struct{}

func (c *Conn) Publish(subject string, data []byte) error { return nil }
