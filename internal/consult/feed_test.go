package consult_test

import (
	"context"
	"strings"
	"testing"

	"github.com/steadier/steadier/internal/consult"
	"github.com/steadier/steadier/internal/fault"
)

func TestFeedNamesNobodyAndCanBeRevoked(t *testing.T) {
	w := mondays(t)
	token, err := w.db.AddFeed(context.Background(), w.now)
	if err != nil {
		t.Fatal(err)
	}
	feed := func() string {
		t.Helper()
		text, err := w.service.Feed(context.Background(), w.now, token)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	if text := feed(); !strings.Contains(text, "BEGIN:VFREEBUSY") {
		t.Errorf("an empty feed:\n%s", text)
	}
	q := withEmail("2026-06-08T09:00:00Z")
	b := w.book(q)
	other := w.book(request("2026-06-08T09:30:00Z"))
	if _, err := w.service.Cancel(context.Background(), w.now, other, consult.ByVisitor); err != nil {
		t.Fatal(err)
	}
	text := feed()
	for _, want := range []string{"METHOD:PUBLISH", "UID:" + b.UID, "SUMMARY:Call " + b.Ref(), "STATUS:CANCELLED", "SEQUENCE:1"} {
		if !strings.Contains(text, want+"\r\n") {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if strings.Contains(text, "Zo") || strings.Contains(text, "ana") || consult.Banned(text) != "" {
		t.Errorf("the feed tells something:\n%s", text)
	}
	if n, err := w.db.RevokeFeeds(context.Background(), w.now); n != 1 || err != nil {
		t.Errorf("revoked %d, error %v", n, err)
	}
	_, err = w.service.Feed(context.Background(), w.now, token)
	wantKind(t, err, fault.NotFound)
	_, err = w.service.Feed(context.Background(), w.now, b.Contact.Token)
	wantKind(t, err, fault.NotFound)
}
