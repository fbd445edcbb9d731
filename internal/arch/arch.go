// Package arch holds no code but the picture of the house, as a test: which package
// stands on which floor, who may import whom, and where each library lives.
//
//	4  cmd/steadier                                              flags, environment, exit codes
//	3  internal/web  internal/admin                              routes and handlers
//	2  internal/store  templates  internal/respond               SQL | HTML | answers
//	1  library editor slots consult newsletter assess outbox     rules: no HTTP, no SQL
//	0  fault mail ical cite seal markdown                        tools that know nothing of the site
//
// Imports point down. Packages on one floor do not know each other, but for the few
// pairs that the test names. To add a package or a library, give it its row there.
package arch
