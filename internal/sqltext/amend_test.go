package sqltext

import "testing"

func (x Insertion) in(s string) string { return s[:x.At] + x.Text + s[x.At+x.Instead:] }

func TestAndWhere(t *testing.T) {
	on := func(table string) string {
		if table != "" {
			return table + ".status <> 'done'"
		}
		return "status <> 'done'"
	}
	for _, c := range [][2]string{
		{`UPDATE orders SET status = $2 WHERE id = $1`, `UPDATE orders SET status = $2 WHERE id = $1 AND status <> 'done'`},
		{`UPDATE %s SET status = ? WHERE id = ?;`, `UPDATE %s SET status = ? WHERE id = ? AND status <> 'done';`},
		{"\n\tUPDATE orders\n\tSET status = $2\n\tWHERE id = $1\n\t  AND tenant = $3\n\t", "\n\tUPDATE orders\n\tSET status = $2\n\tWHERE id = $1\n\t  AND tenant = $3\n\t  AND status <> 'done'\n\t"},
		{"UPDATE orders\n\tSET status = $2\n\tWHERE id = $1 ", "UPDATE orders\n\tSET status = $2\n\tWHERE id = $1 AND status <> 'done' "},
		{`INSERT INTO shop.orders (id, status) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET status = EXCLUDED.status`,
			`INSERT INTO shop.orders (id, status) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET status = EXCLUDED.status WHERE shop.orders.status <> 'done'`},
		{`UPDATE orders SET status = $2 WHERE id = $1 OR parent = $1`, ``},
		{`UPDATE orders SET status = $2 WHERE (id = $1 OR parent = $1)`, `UPDATE orders SET status = $2 WHERE (id = $1 OR parent = $1) AND status <> 'done'`},
		{`UPDATE orders SET status = $2 WHERE id = $1 RETURNING id`, ``},
		{`UPDATE orders SET status = $2 FROM carts WHERE carts.id = $1`, ``},
		{`UPDATE orders SET status = $2 WHERE id = $1 -- the key`, ``},
		{`UPDATE orders SET status = $2`, ``},
		{`UPDATE orders SET status = $2 WHERE id = $1; DELETE FROM carts`, ``},
		{`SELECT id FROM orders WHERE id = $1`, ``},
	} {
		got, ok := AndWhere(c[0], on)
		if !ok && c[1] != "" || ok && got.in(c[0]) != c[1] {
			t.Errorf("%s\n got %+v %v", c[0], got, ok)
		}
	}
}

func TestKeepWhere(t *testing.T) {
	for _, c := range [][2]string{
		{`UPDATE orders SET status = $1, updated_at = NOW() WHERE id = $2`, `UPDATE orders SET status = CASE WHEN status = 'done' THEN status ELSE $1 END, updated_at = NOW() WHERE id = $2`},
		{"UPDATE orders SET Status=$1\nWHERE id = $2", "UPDATE orders SET Status=CASE WHEN status = 'done' THEN Status ELSE $1 END\nWHERE id = $2"},
		{`UPDATE orders SET status = $1, updated_at = $3 WHERE id = $2`, `UPDATE orders SET status = CASE WHEN status = 'done' THEN status ELSE $1 END, updated_at = $3 WHERE id = $2`},
		{`UPDATE orders SET status = $1, paid_at = $3 WHERE id = $2`, ``},
		{`UPDATE orders SET status = $1`, ``},
		{`UPDATE orders SET status = $1 || 'x' WHERE id = $2`, ``},
	} {
		got, ok := KeepWhere(c[0], "status", "status = 'done'")
		if !ok && c[1] != "" || ok && got.in(c[0]) != c[1] {
			t.Errorf("%s\n got %+v %v", c[0], got, ok)
		}
	}
}
