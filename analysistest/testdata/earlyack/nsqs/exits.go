package nsqs

import (
	"context"
	"log/slog"

	"github.com/nsqio/go-nsq"
	"github.com/rs/zerolog"
	"github.com/rs/zerolog/log"
)

// Exits ends the program where a pin can't be kept: the message comes again.
type Exits struct {
	pins *Pins
	log  zerolog.Logger
}

// AddExits registers the handlers.
func (e *Exits) AddExits(fatal, chained, panics, goesOn *nsq.Consumer) {
	fatal.AddHandler(nsq.HandlerFunc(e.fatal))
	chained.AddHandler(nsq.HandlerFunc(e.chained))
	panics.AddHandler(nsq.HandlerFunc(e.panics))
	goesOn.AddHandler(nsq.HandlerFunc(e.goesOn))
}

func (e *Exits) fatal(m *nsq.Message) error {
	if err := e.pins.keep(context.Background(), m.Body); err != nil {
		log.Fatal().Err(err).Msg("keep")
	}
	return nil
}

func (e *Exits) chained(m *nsq.Message) error {
	if err := e.pins.keep(context.Background(), m.Body); err != nil {
		e.log.Fatal().Err(err).Int("bytes", len(m.Body)).Msgf("keep %s", m.ID)
		return nil
	}
	slog.Info("kept")
	return nil
}

func (e *Exits) panics(m *nsq.Message) error {
	if err := e.pins.keep(context.Background(), m.Body); err != nil {
		e.log.Panic().Err(err).Send()
	}
	return nil
}

// goesOn only tells of it.
func (e *Exits) goesOn(m *nsq.Message) error {
	if err := e.pins.keep(context.Background(), m.Body); err != nil { // want on-failure "the handler returns no error"
		e.log.WithLevel(zerolog.FatalLevel).Err(err).Msg("keep")
	}
	return nil
}
