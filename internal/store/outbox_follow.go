package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/steadier/steadier/internal/newsletter"
	"github.com/steadier/steadier/internal/outbox"
)

// followUp does what the result of a message means for the rest of the data.
func (db *DB) followUp(ctx context.Context, tx *sql.Tx, now time.Time, m outbox.Message, r outbox.Result) error {
	if r.State == outbox.Unknown {
		if err := db.notice(ctx, tx, now, outbox.NoticeUnknown); err != nil {
			return err
		}
	}
	switch {
	case m.Kind == newsletter.KindIssue:
		return db.followIssue(ctx, tx, now, m, r)
	case r.State == outbox.Failed && m.Batch == "" && m.Kind != outbox.KindNotice:
		return db.notice(ctx, tx, now, outbox.NoticeFailed)
	}
	return nil
}
