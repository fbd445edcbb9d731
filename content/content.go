// Package content holds the words that the program ships with. It knows
// nothing else: internal/library reads it as any other content folder.
//
// Folders are named one by one, so that this file is never served and a draft
// (a name that begins with _) or a hidden file never goes into the binary.
package content

import "embed"

// FS is the content folder as it was when the program was built.
//
//go:embed site.yaml availability.yaml references.yaml helplines.yaml glossary.yaml assessment.yaml style.yaml articles pages newsletter figures topics paths
var FS embed.FS
