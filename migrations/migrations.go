// Package migrations holds the steps by which the database reached its present
// shape: forward only, numbered, and never edited once released.
package migrations

import "embed"

// FS holds the numbered SQL files.
//
//go:embed *.sql
var FS embed.FS
