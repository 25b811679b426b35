// Package svcctx reaches everything through a context of the service: the model three
// steps away, and the raw client beside it. What fails is only logged.
package svcctx

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"github.com/hibiken/asynq"
	"github.com/segmentio/kafka-go"
)

type Rental struct {
	Sn      string
	State   int
	Version int
}

type RentalModel interface {
	Insert(ctx context.Context, r *Rental) (sql.Result, error)
	UpdateWithVersion(ctx context.Context, r *Rental) error
	FindOne(ctx context.Context, sn string) (*Rental, error)
}

type defaultRentalModel struct{ conn *sql.DB }

func NewRentalModel(conn *sql.DB) RentalModel { return &defaultRentalModel{conn: conn} }

func (m *defaultRentalModel) Insert(ctx context.Context, r *Rental) (sql.Result, error) {
	return m.conn.ExecContext(ctx, "insert into `rental` (`sn`, `state`) values (?, ?)", r.Sn, r.State)
}

func (m *defaultRentalModel) UpdateWithVersion(ctx context.Context, r *Rental) error {
	res, err := m.conn.ExecContext(ctx, "update `rental` set `state` = ?, `version` = `version` + 1 where `sn` = ? and `version` = ?", r.State, r.Sn, r.Version)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errors.New("no row changed"), err)
	}
	return nil
}

func (m *defaultRentalModel) FindOne(ctx context.Context, sn string) (*Rental, error) {
	r := &Rental{Sn: sn}
	err := m.conn.QueryRowContext(ctx, "select `state`, `version` from `rental` where `sn` = ? limit 1", sn).Scan(&r.State, &r.Version)
	return r, err
}

type ServiceContext struct {
	RentalModel RentalModel
	AsynqClient *asynq.Client
	StateWriter *kafka.Writer
}

func NewServiceContext(db *sql.DB, client *asynq.Client, w *kafka.Writer) *ServiceContext {
	return &ServiceContext{RentalModel: NewRentalModel(db), AsynqClient: client, StateWriter: w}
}

type CreateLogic struct {
	ctx    context.Context
	svcCtx *ServiceContext
}

// Create has a task close what nobody pays for.
func (l *CreateLogic) Create(sn string) error {
	if _, err := l.svcCtx.RentalModel.Insert(l.ctx, &Rental{Sn: sn}); err != nil {
		return err
	}
	payload, err := json.Marshal(Rental{Sn: sn})
	if err != nil {
		slog.Error("marshal", "sn", sn, "err", err)
		return nil
	}
	_, err = l.svcCtx.AsynqClient.Enqueue(asynq.NewTask("rental:close", payload), asynq.ProcessIn(20*time.Minute)) // want dual-write "follows"
	if err != nil {
		slog.Error("enqueue", "sn", sn, "err", err)
	}
	return nil
}

type PayLogic struct {
	ctx    context.Context
	svcCtx *ServiceContext
}

func (l *PayLogic) Pay(sn string) error {
	r, err := l.svcCtx.RentalModel.FindOne(l.ctx, sn)
	if err != nil {
		return err
	}
	if r.State == 1 {
		return nil
	}
	r.State = 1
	if err := l.svcCtx.RentalModel.UpdateWithVersion(l.ctx, r); err != nil {
		return err
	}
	l.push(r) // want dual-write "follows"
	return nil
}

func (l *PayLogic) push(r *Rental) {
	if err := l.svcCtx.StateWriter.WriteMessages(l.ctx, kafka.Message{Key: []byte(r.Sn)}); err != nil {
		slog.Error("push", "sn", r.Sn, "err", err)
	}
}

// Check enqueues what it has only looked at.
func (l *PayLogic) Check(sn string) error {
	r, err := l.svcCtx.RentalModel.FindOne(l.ctx, sn)
	if err != nil {
		return err
	}
	if r.State == 0 {
		_, err = l.svcCtx.AsynqClient.Enqueue(asynq.NewTask("rental:remind", []byte(sn)), asynq.TaskID(sn))
	}
	return err
}
