package static

import "strings"

// minifyCSS drops comments and the spaces that mean nothing. It knows strings, and no
// more of the language: our own files are all that it is given. A space before a colon
// stays (it parts selectors), and so do those around + and - (calc needs them).
func minifyCSS(s string) string {
	var out strings.Builder
	var last byte // what was written last
	space := false
	put := func(b byte) {
		if space && !strings.ContainsRune("{};,:>", rune(last)) && !strings.ContainsRune("{};,>", rune(b)) && last != 0 {
			out.WriteByte(' ')
		}
		space = false
		out.WriteByte(b)
		last = b
	}
	for i := 0; i < len(s); i++ {
		switch {
		case strings.HasPrefix(s[i:], "/*"):
			end := strings.Index(s[i+2:], "*/")
			if end < 0 {
				return out.String()
			}
			i += end + 3
		case s[i] == '"':
			end := i + 1 + strings.IndexByte(s[i+1:], '"')
			put('"')
			out.WriteString(s[i+1 : end+1])
			i = end
		case strings.IndexByte(" \t\r\n", s[i]) >= 0:
			space = true
		default:
			put(s[i])
		}
	}
	return strings.ReplaceAll(out.String(), ";}", "}")
}

// minifyJS drops comments that fill lines, indentation and empty lines. A comment after
// code stays: telling one from an address would need the whole language.
func minifyJS(s string) string {
	var out strings.Builder
	comment := false
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "/*") {
			comment = true
		}
		if !comment && line != "" && !strings.HasPrefix(line, "//") {
			out.WriteString(line + "\n")
		}
		if strings.HasSuffix(line, "*/") {
			comment = false
		}
	}
	return out.String()
}
