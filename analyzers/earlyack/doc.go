// Package earlyack finds deliveries that are acked before their effect is
// durable, or although it has failed.
package earlyack
