package web

import (
	"net/http"
	"strings"
)

// ownerPermissions are those of the readers' pages, but that the owner's may ask for a
// passkey.
var ownerPermissions = []string{strings.NewReplacer(
	"publickey-credentials-create=()", "publickey-credentials-create=(self)",
	"publickey-credentials-get=()", "publickey-credentials-get=(self)",
).Replace(permissions)}

// ownersEdge is what stands around the owner's pages, beside the chain: a post has to
// come from a page of ours, beyond doubt, and no search engine lists them.
func (s *Site) ownersEdge(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isUnproven(r) {
			s.errors.Status(w, r, http.StatusForbidden, "")
			return
		}
		w.Header()["Permissions-Policy"] = ownerPermissions
		noIndex(w)
		next.ServeHTTP(w, r)
	})
}
