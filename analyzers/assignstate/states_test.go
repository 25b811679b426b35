package assignstate

import (
	"slices"
	"testing"

	"github.com/deliverylint/deliverylint/internal/finding"
)

func TestKeptBy(t *testing.T) {
	for _, c := range []struct {
		values, known, want []string
	}{
		{[]string{"Canceled", "Completed", "Ready For Pickup"}, nil, []string{"Canceled", "Completed"}},
		{[]string{"PAID"}, []string{"REFUNDED", "CANCELLED", "PENDING"}, []string{"REFUNDED"}},
		{[]string{"PAYMENT_FAILED"}, []string{"PAID", "PENDING"}, []string{"PAID"}},
		{[]string{"canceled", "paid"}, []string{"pending"}, nil},
		{[]string{"delivered"}, []string{"out_for_delivery", "cancelling", "cancelled"}, []string{"cancelled"}},
		{[]string{"refunded"}, []string{"paid", "completed"}, nil},
		{[]string{"active", "suspended"}, []string{"closed"}, nil},
		{[]string{"failed"}, []string{"pending", "running"}, nil},
		{[]string{"3"}, []string{"4"}, nil},
	} {
		o := &finding.Overwrite{Values: c.values, Known: slices.Compact(slices.Sorted(slices.Values(slices.Concat(c.values, c.known))))}
		var got []string
		for _, s := range keptBy(o, nil) {
			got = append(got, s.value)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v beside %v keeps %v, want %v", c.values, c.known, got, c.want)
		}
	}
}
