package admin

import "context"

// Owner is who is signed in, from the session's row.
type Owner struct {
	ID   int64
	Name string
}

type ownerKey struct{}

// withOwner notes who is signed in.
func withOwner(ctx context.Context, o Owner) context.Context {
	return context.WithValue(ctx, ownerKey{}, o)
}

// signedIn returns who is signed in, if anybody is.
func signedIn(ctx context.Context) (Owner, bool) {
	o, ok := ctx.Value(ownerKey{}).(Owner)
	return o, ok
}
