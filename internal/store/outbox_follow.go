package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/steadier/steadier/internal/outbox"
)

// followUp does what the result of a message means for the rest of the data.
func (db *DB) followUp(ctx context.Context, tx *sql.Tx, now time.Time, m outbox.Message, r outbox.Result) error {
	switch {
	case r.State == outbox.Unknown:
		return db.notice(ctx, tx, now, outbox.NoticeUnknown)
	case r.State == outbox.Failed && m.Batch == "" && m.Kind != outbox.KindNotice:
		return db.notice(ctx, tx, now, outbox.NoticeFailed)
	}
	return nil
}
