package directive

import "testing"

func TestParse(t *testing.T) {
	for _, c := range []struct{ comment, want, flaw string }{
		{"//deliverylint:publish", "//deliverylint:publish", ""},
		{"//deliverylint:notify its loss is no loss", "//deliverylint:notify", ""},
		{"//deliverylint:write handle=1 autocommit=true and prose", "//deliverylint:write handle=1 autocommit=true", ""},
		{"//deliverylint:outbox handle=0", "//deliverylint:outbox handle=0", ""},
		{"//deliverylint:handler broker=kafka ack=offset on-error=redeliver", "//deliverylint:handler broker=kafka ack=offset on-error=redeliver", ""},
		{"//deliverylint:publish handle=1", "", "has a property handle, but takes none"},
		{"//deliverylint:write table=orders set=status<-2,paid_at<-new,total<-1.Sum+row add=count where=id=1,state<>'paid' a reason",
			"//deliverylint:write table=orders set=status<-2,paid_at<-new,total<-1.Sum+row add=count where=id=1,state<>'paid'", ""},
		{"//deliverylint:write op=upsert entity=1 cache=true", "//deliverylint:write op=upsert entity=1 cache=true", ""},
		{"//deliverylint:read table=orders", "//deliverylint:read table=orders", ""},
		{"//deliverylint:handling broker=nats ack=explicit on-error=redeliver message=1,2 stored=0 alone=true", "//deliverylint:handling broker=nats ack=explicit on-error=redeliver message=1,2 stored=0 alone=true", ""},
		{"//deliverylint:polled table=orders,payments", "//deliverylint:polled table=orders,payments", ""},
		{"//deliverylint:publish table=orders", "", "has a property table, but takes none"},
		{"//deliverylint:write set=status<-paid", "", "has set=status<-paid: \"paid\" is no argument, 'constant', row, new, const, other"},
		{"//deliverylint:write set=status=2", "", "has set=status=2: names of columns are wanted"},
		{"//deliverylint:write entity=order", "", "has entity=order: the numbers of arguments are wanted, from 0"},
		{"//deliverylint:write handle=ctx", "", "has handle=ctx: the number of an argument is wanted, from 0"},
		{"//deliverylint:write autocommit=no", "", "has autocommit=no (known: true)"},
		{"//deliverylint:handler ack=never", "", "has ack=never (known: return, explicit, offset, auto, response, none)"},
	} {
		d, flaw, ok := Parse(c.comment)
		if !ok || flaw != c.flaw || flaw == "" && d.String() != c.want {
			t.Errorf("Parse(%s) = %s, %q, %v; want %s, %q", c.comment, d, flaw, ok, c.want, c.flaw)
		}
	}
	for _, comment := range []string{"// deliverylint:publish", "//deliverylint:ignore r x", "//deliverylint: publish", "//deliverylint:publisher", "//deliverylint:"} {
		if _, _, ok := Parse(comment); ok {
			t.Errorf("%s declares something", comment)
		}
	}
}
