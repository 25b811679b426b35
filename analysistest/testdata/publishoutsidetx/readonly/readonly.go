// Package readonly has flows that read and then publish. They have stored nothing
// that a crash could leave unannounced.
package readonly

import (
	"context"
	"database/sql"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	ddb "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/sns"
	"github.com/redis/go-redis/v9"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"gorm.io/gorm"
)

type Stations struct {
	db    *sql.DB
	orm   *gorm.DB
	docs  *mongo.Collection
	items *dynamodb.Client
	rdb   *redis.Client
	out   *sns.Client
	topic string
}

type Station struct {
	ID   string
	Name string
}

type Member struct{ ID string }

func (s *Stations) say(ctx context.Context, what string) error {
	_, err := s.out.Publish(ctx, &sns.PublishInput{TopicArn: &s.topic, Message: &what})
	return err
}

// UpdateBoards updates nothing, whatever it is called.
func (s *Stations) UpdateBoards(ctx context.Context) error {
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true, Isolation: sql.LevelRepeatableRead})
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var n int
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM stations").Scan(&n); err != nil {
		return err
	}
	var updated time.Time
	if err := tx.QueryRowContext(ctx, "SELECT max(updated_at) FROM stations").Scan(&updated); err != nil {
		return err
	}
	if err := s.say(ctx, updated.String()); err != nil {
		return err
	}
	return tx.Commit()
}

func (s *Stations) Call(ctx context.Context, id string) error {
	var st Station
	if err := s.orm.WithContext(ctx).Where("id = ?", id).Take(&st).Error; err != nil {
		return err
	}
	return s.say(ctx, st.Name)
}

func (s *Stations) CallAll(w http.ResponseWriter, r *http.Request) {
	cur, err := s.docs.Find(r.Context(), bson.D{})
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	var all []Station
	if err := cur.All(r.Context(), &all); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	for _, st := range all {
		if err := s.say(r.Context(), st.Name); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
	}
}

func (s *Stations) Locate(ctx context.Context, id string) error {
	got, err := s.items.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: aws.String("stations"),
		Key:       map[string]ddb.AttributeValue{"id": &ddb.AttributeValueMemberS{Value: id}},
	})
	if err != nil || got.Item == nil {
		return err
	}
	return s.say(ctx, "located "+id)
}

func (s *Stations) Cached(ctx context.Context, id string) error {
	name, err := s.rdb.Get(ctx, "station:"+id).Result()
	if err != nil {
		return err
	}
	return s.say(ctx, name)
}

// Lock waits for others, and changes nothing.
func (s *Stations) Lock(ctx context.Context, id string) error {
	return s.orm.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var st Station
		if err := tx.Raw("SELECT id, name FROM stations WHERE id = ? FOR UPDATE", id).Scan(&st).Error; err != nil {
			return err
		}
		return s.say(ctx, st.Name)
	})
}

// Ask runs a statement that nobody knows here.
func (s *Stations) Ask(ctx context.Context, query string) error {
	var answer string
	if err := s.db.QueryRowContext(ctx, query).Scan(&answer); err != nil {
		return err
	}
	return s.say(ctx, answer)
}

// Take reads a row by changing it: a statement that is sent as a query writes too.
func (s *Stations) Take(ctx context.Context) error {
	var name string
	err := s.db.QueryRowContext(ctx, `
		-- the first free one
		WITH free AS (SELECT id FROM platforms WHERE NOT taken ORDER BY id LIMIT 1)
		UPDATE platforms SET taken = true FROM free WHERE platforms.id = free.id RETURNING platforms.name`).Scan(&name)
	if err != nil {
		return err
	}
	return s.say(ctx, name) // want dual-write "follows"
}

// Enrol uses a method of gorm's that may insert.
func (s *Stations) Enrol(ctx context.Context, id string) error {
	var m Member
	if err := s.orm.WithContext(ctx).Where(Member{ID: id}).FirstOrCreate(&m).Error; err != nil {
		return err
	}
	return s.say(ctx, m.ID) // want dual-write "follows"
}
