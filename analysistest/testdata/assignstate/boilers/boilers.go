// Package boilers stores what messages say through models that sqlboiler generates.
package boilers

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/aarondl/sqlboiler/v4/boil"
	"github.com/aarondl/sqlboiler/v4/queries/qm"
	"github.com/segmentio/kafka-go"

	"example.org/testdata/assignstate/boilers/models"
)

// Fleet consumes what happens to vans.
type Fleet struct {
	db     *sql.DB
	reader *kafka.Reader
}

// VanChanged is a message.
type VanChanged struct {
	Kind, Driver, State string
	ID, Seq             int64
}

// Run handles them.
func (f *Fleet) Run(ctx context.Context) error {
	for {
		m, err := f.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var e VanChanged
		if err := json.Unmarshal(m.Value, &e); err != nil {
			return err
		}
		if err := f.handle(ctx, e); err != nil {
			return err
		}
		if err := f.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (f *Fleet) handle(ctx context.Context, e VanChanged) error {
	switch e.Kind {
	case "driver":
		return f.wrongUpdate(ctx, e)
	case "seen":
		return f.rightColumns(ctx, e)
	case "state":
		return f.wrongLoaded(ctx, e)
	case "newer":
		return f.rightLoaded(ctx, e)
	case "full":
		return f.wrongUpsert(ctx, e)
	case "first":
		return f.rightUpsert(ctx, e)
	case "all":
		return f.wrongAll(ctx, e)
	case "older":
		return f.rightAll(ctx, e)
	}
	return f.rightText(ctx, e)
}

func (f *Fleet) wrongUpdate(ctx context.Context, e VanChanged) error {
	van := models.Van{ID: e.ID, Driver: e.Driver}
	_, err := van.Update(ctx, f.db, boil.Whitelist(models.VanColumns.Driver)) // want unguarded "van.Update sets Van.Driver from e.Driver"
	return err
}

// rightColumns: of what it sets only a key and an order are written.
func (f *Fleet) rightColumns(ctx context.Context, e VanChanged) error {
	van := models.Van{ID: e.ID, Driver: e.Driver, Seq: e.Seq}
	_, err := van.Update(ctx, f.db, boil.Whitelist(models.VanColumns.Seq))
	return err
}

func (f *Fleet) wrongLoaded(ctx context.Context, e VanChanged) error {
	van, err := models.FindVan(ctx, f.db, e.ID)
	if err != nil {
		return err
	}
	van.State = e.State // want unguarded "Van.State is set from e.State"
	_, err = van.Update(ctx, f.db, boil.Infer())
	return err
}

func (f *Fleet) rightLoaded(ctx context.Context, e VanChanged) error {
	van, err := models.FindVan(ctx, f.db, e.ID)
	if err != nil {
		return err
	}
	if van.Seq >= e.Seq {
		return nil
	}
	van.State, van.Seq = e.State, e.Seq
	_, err = van.Update(ctx, f.db, boil.Infer())
	return err
}

func (f *Fleet) wrongUpsert(ctx context.Context, e VanChanged) error {
	van := models.Van{ID: e.ID, State: e.State}
	return van.Upsert(ctx, f.db, true, []string{models.VanColumns.ID}, boil.Whitelist("state"), boil.Infer()) // want unguarded "van.Upsert sets Van.State from e.State"
}

// rightUpsert: a row that is there stays as it is.
func (f *Fleet) rightUpsert(ctx context.Context, e VanChanged) error {
	van := models.Van{ID: e.ID, State: e.State}
	return van.Upsert(ctx, f.db, false, nil, boil.None(), boil.Infer())
}

func (f *Fleet) wrongAll(ctx context.Context, e VanChanged) error {
	_, err := models.Vans(models.VanWhere.ID.EQ(e.ID)).UpdateAll(ctx, f.db, models.M{"state": e.State}) // want unguarded "sets van.state from e.State"
	return err
}

func (f *Fleet) rightAll(ctx context.Context, e VanChanged) error {
	_, err := models.Vans(models.VanWhere.ID.EQ(e.ID), models.VanWhere.Seq.LT(e.Seq)).UpdateAll(ctx, f.db, models.M{"state": e.State, "seq": e.Seq})
	return err
}

func (f *Fleet) rightText(ctx context.Context, e VanChanged) error {
	_, err := models.Vans(qm.Where("id = ?", e.ID), qm.Where("seq < ?", e.Seq)).UpdateAll(ctx, f.db, models.M{"state": e.State, "seq": e.Seq})
	return err
}
