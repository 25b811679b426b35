package injected

import "context"

// MockBookingStore keeps what it is given.
type MockBookingStore struct{ All map[string]*Booking }

func (m *MockBookingStore) Put(ctx context.Context, b *Booking) error {
	m.All[b.ID] = b
	return nil
}

func (m *MockBookingStore) Find(ctx context.Context, id string) (*Booking, error) {
	return m.All[id], nil
}

func (m *MockBookingStore) Remove(ctx context.Context, b *Booking) error {
	delete(m.All, b.ID)
	return nil
}

// MockAnnouncer remembers.
type MockAnnouncer struct{ Said []string }

func (m *MockAnnouncer) Booked(ctx context.Context, b *Booking) error {
	m.Said = append(m.Said, b.ID)
	return nil
}

func (m *MockAnnouncer) Cancelled(ctx context.Context, b *Booking) {
	m.Said = append(m.Said, b.ID)
}
