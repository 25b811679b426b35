// Package models has a model in the shape that sqlboiler generates.
package models

import (
	"context"
	"database/sql"

	"github.com/aarondl/sqlboiler/v4/boil"
	"github.com/aarondl/sqlboiler/v4/drivers"
	"github.com/aarondl/sqlboiler/v4/queries"
	"github.com/aarondl/sqlboiler/v4/queries/qm"
)

// Van is a row of vans.
type Van struct {
	ID     int64  `boil:"id"`
	Driver string `boil:"driver"`
	State  string `boil:"state"`
	Seq    int64  `boil:"seq"`
}

var VanColumns = struct{ ID, Driver, State, Seq string }{ID: "id", Driver: "driver", State: "state", Seq: "seq"}

type whereHelperint64 struct{ field string }

func (w whereHelperint64) EQ(x int64) qm.QueryMod { return qm.Where(w.field+" = ?", x) }
func (w whereHelperint64) LT(x int64) qm.QueryMod { return qm.Where(w.field+" < ?", x) }

var VanWhere = struct{ ID, Seq whereHelperint64 }{ID: whereHelperint64{"id"}, Seq: whereHelperint64{"seq"}}

type (
	M        map[string]any
	vanQuery struct{ *queries.Query }
)

var dialect = drivers.Dialect{LQ: '"', RQ: '"', UseIndexPlaceholders: true}

func Vans(mods ...qm.QueryMod) vanQuery {
	q := &queries.Query{}
	queries.SetDialect(q, &dialect)
	qm.Apply(q, append(mods, qm.From("vans"))...)
	return vanQuery{q}
}

func FindVan(ctx context.Context, exec boil.ContextExecutor, id int64) (*Van, error) {
	o := &Van{}
	err := queries.Raw(`select * from "vans" where "id"=$1`, id).Bind(ctx, exec, o)
	return o, err
}

var cache = map[string]string{}

func (o *Van) values() []any { return []any{o.Driver, o.State, o.Seq, o.ID} }

func (o *Van) Insert(ctx context.Context, exec boil.ContextExecutor, columns boil.Columns) error {
	_, err := exec.ExecContext(ctx, cache["insert"], o.values()...)
	return err
}

func (o *Van) Update(ctx context.Context, exec boil.ContextExecutor, columns boil.Columns) (int64, error) {
	result, err := exec.ExecContext(ctx, cache["update"], o.values()...)
	return affected(result, err)
}

func (o *Van) Upsert(ctx context.Context, exec boil.ContextExecutor, updateOnConflict bool, conflictColumns []string, updateColumns, insertColumns boil.Columns) error {
	_, err := exec.ExecContext(ctx, cache["upsert"], o.values()...)
	return err
}

func (q vanQuery) UpdateAll(ctx context.Context, exec boil.ContextExecutor, cols M) (int64, error) {
	queries.SetUpdate(q.Query, cols)
	result, err := q.Query.ExecContext(ctx, exec)
	return affected(result, err)
}

func affected(result sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}
