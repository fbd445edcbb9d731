package outbox_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/mail"
	"github.com/steadier/steadier/internal/outbox"
)

// fakeStore holds one job and fails as told. Everything that a real database can
// show is tested on a real one.
type fakeStore struct {
	job     outbox.Job
	none    bool // there is no job
	gone    bool // the job ended before DATA
	full    int  // so many results cannot be written
	settled []outbox.State
}

func (s *fakeStore) RecoverOutbox(context.Context, time.Time, string) (outbox.Recovered, error) {
	return outbox.Recovered{}, nil
}

func (s *fakeStore) AdvanceOutbox(ctx context.Context, now time.Time, _ time.Duration, done []outbox.Done, _ int) ([]outbox.Job, error) {
	if err := s.SettleAll(ctx, now, done); err != nil || s.none {
		return nil, err
	}
	s.none = true
	return []outbox.Job{s.job}, nil
}

func (s *fakeStore) BeginData(ctx context.Context, now time.Time, _ string, done []outbox.Done, _ bool) error {
	if err := s.SettleAll(ctx, now, done); err != nil {
		return err
	}
	if s.gone {
		return fault.New(fault.NotFound, "")
	}
	return nil
}

func (s *fakeStore) SettleAll(_ context.Context, _ time.Time, done []outbox.Done) error {
	if len(done) > 0 && s.full > 0 {
		s.full--
		return errors.New("the disk is full")
	}
	for _, d := range done {
		s.settled = append(s.settled, d.Result.State)
	}
	return nil
}

func (s *fakeStore) NextDue(context.Context) (time.Time, bool, error) {
	return time.Time{}, !s.none, nil
}

func (s *fakeStore) Trouble(context.Context) (outbox.Trouble, error) { return outbox.Trouble{}, nil }

func (s *fakeStore) SetTrouble(context.Context, time.Time, outbox.Trouble) error { return nil }

// transportFunc is a server that always says the same.
type transportFunc func() mail.Outcome

func (f transportFunc) Deliver(_ context.Context, _, _ string, _ []byte, inData func() error) mail.Outcome {
	if err := inData(); err != nil {
		return mail.Outcome{Verdict: mail.NotTried}
	}
	return f()
}

func (f transportFunc) Idle() {}

func TestTheLockIsForOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), outbox.LockName)
	first, err := outbox.Lock(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := outbox.Lock(path); !errors.Is(err, outbox.ErrLocked) {
		t.Errorf("second lock: %v, want ErrLocked", err)
	}
	if err := first.Unlock(); err != nil {
		t.Fatal(err)
	}
	again, err := outbox.WaitLock(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Unlock(); err != nil {
		t.Error(err)
	}
}

func TestWaitingForTheLockCanBeGivenUp(t *testing.T) {
	path := filepath.Join(t.TempDir(), outbox.LockName)
	if _, err := outbox.Lock(path); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := outbox.WaitLock(ctx, path); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want canceled", err)
	}
}
