package wrong

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go/jetstream"
)

type Reading struct {
	Meter string  `json:"meter"`
	KWh   float64 `json:"kwh"`
}

type Meters struct {
	pool *pgxpool.Pool
	js   jetstream.JetStream
	log  *slog.Logger
}

func (m *Meters) Close(ctx context.Context, meter string) error {
	tx, err := m.pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.Serializable})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }()

	batch := &pgx.Batch{}
	batch.Queue(`UPDATE meters SET closed_at = now() WHERE id = $1`, meter)
	batch.Queue(`DELETE FROM tariffs WHERE meter_id = $1`, meter)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return err
	}
	if err := tx.Commit(ctx); err != nil {
		return err
	}
	if _, err := m.js.Publish(ctx, "meters.closed", []byte(meter)); err != nil { // want after-commit "runs after tx.Commit"
		m.log.Error("meter closed, nobody told", "meter", meter, "err", err)
	}
	return nil
}

func (m *Meters) Record(ctx context.Context, r Reading) error {
	var id int64
	row := m.pool.QueryRow(ctx, `INSERT INTO readings (meter_id, kwh) VALUES ($1, $2) RETURNING id`, r.Meter, r.KWh)
	if err := row.Scan(&id); err != nil {
		return err
	}
	body, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = m.js.Publish(ctx, "readings.recorded", body) // want dual-write "follows"
	return err
}

func (m *Meters) Swap(ctx context.Context, old, new string) (err error) {
	tx, err := m.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	for _, id := range []string{old, new} {
		if _, err := tx.Exec(ctx, "UPDATE meters SET swapped = true WHERE id = $1", id); err != nil {
			return err
		}
	}
	if _, err := m.js.Publish(ctx, "meters.swapped", []byte(old+":"+new)); err != nil { // want inside-tx "transaction"
		return err
	}
	if _, err := tx.Exec(ctx, "INSERT INTO swaps (old, new) VALUES ($1, $2)", old, new); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

func (m *Meters) Import(ctx context.Context, rows []Reading) error {
	src := make([][]any, 0, len(rows))
	for _, r := range rows {
		src = append(src, []any{r.Meter, r.KWh})
	}
	if _, err := m.pool.CopyFrom(ctx, pgx.Identifier{"readings"}, []string{"meter_id", "kwh"}, pgx.CopyFromRows(src)); err != nil {
		return err
	}
	_, err := m.js.Publish(ctx, "readings.imported", nil) // want dual-write "follows"
	return err
}
