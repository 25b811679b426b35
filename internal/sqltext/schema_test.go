package sqltext

import (
	"reflect"
	"testing"
)

func TestSchema(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []Table
	}{
		{"columns", `CREATE TABLE IF NOT EXISTS public."Orders" (
			id uuid PRIMARY KEY DEFAULT gen_random_uuid(), -- the key
			ref VARCHAR(20) NOT NULL UNIQUE, kind text DEFAULT 'x', price numeric(10, 2) CHECK (price > 0));`,
			[]Table{{Name: "orders", Created: true, Keys: [][]string{{"id"}, {"ref"}}, Fixed: []string{"kind"}}}},
		{"constraints", `create table a (x int, y int, n serial, constraint pk primary key (x, y), constraint u unique (n), foreign key (x) references b (id))`,
			[]Table{{Name: "a", Created: true, Keys: [][]string{{"x", "y"}, {"n"}}}}},
		{"mysql", "CREATE TABLE `t` (`id` bigint unsigned NOT NULL AUTO_INCREMENT, `sn` char(25) NOT NULL DEFAULT '', PRIMARY KEY (`id`), UNIQUE KEY `idx_sn` (`sn`(10)), KEY `k` (`id`)) ENGINE=InnoDB;",
			[]Table{{Name: "t", Created: true, Keys: [][]string{{"id"}, {"sn"}}, Fixed: []string{"sn"}}}},
		{"index", `CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS u ON s.orders USING btree (lower(email), org_id DESC) WHERE deleted_at IS NULL; CREATE INDEX v ON orders (x)`,
			[]Table{{Name: "orders", Keys: [][]string{{"email", "org_id"}}}}},
		{"alter", `ALTER TABLE ONLY orders ADD CONSTRAINT pk PRIMARY KEY (id), ADD COLUMN ref text UNIQUE; ALTER TABLE orders ADD UNIQUE (a, b);`,
			[]Table{{Name: "orders", Keys: [][]string{{"id"}, {"ref"}}}, {Name: "orders", Keys: [][]string{{"a", "b"}}}}},
		{"open", `CREATE TABLE b (LIKE a INCLUDING ALL); CREATE TABLE c AS SELECT 1; CREATE TABLE d PARTITION OF a FOR VALUES IN (1)`,
			[]Table{{Name: "b", Created: true, Open: true}, {Name: "c", Created: true, Open: true}, {Name: "d", Created: true, Open: true}}},
		{"generated", `CREATE TABLE g (id bigint GENERATED ALWAYS AS IDENTITY, h text GENERATED ALWAYS AS (md5(a)) STORED, a text, UNIQUE (h))`,
			[]Table{{Name: "g", Created: true, Open: true, Keys: [][]string{{"h"}}}}},
		{"function", "CREATE FUNCTION f() RETURNS trigger AS $$ BEGIN CREATE TABLE x (id int); END; $$ LANGUAGE plpgsql; CREATE TABLE y (id int)",
			[]Table{{Name: "y", Created: true}}},
		{"broken", `CREATE TABLE (; CREATE UNIQUE INDEX; ALTER TABLE; CREATE TABLE z (a`, []Table{{Name: "z", Created: true}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Schema(c.text); !reflect.DeepEqual(got, c.want) {
				t.Errorf("Schema(%s)\n got %+v\nwant %+v", c.text, got, c.want)
			}
		})
	}
}
