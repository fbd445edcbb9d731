package newsletter

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/steadier/steadier/internal/mail"
)

// ErrCSV wraps every reason why a file of subscribers cannot be read.
var ErrCSV = errors.New("the file cannot be imported")

// maxCSV is the largest file that is read, in bytes.
const maxCSV = 64 << 20

// Import is what a file of subscribers holds.
type Import struct {
	Rows []ImportRow
	Bad  []int // the lines whose address cannot be used
}

// ImportRow is one address, with the proof of consent if the file has one.
type ImportRow struct {
	Address mail.Address
	Consent Consent // the zero value: no proof, so the address has to confirm
}

// Imported counts what became of a file's rows.
type Imported struct {
	Active    int // with proof of consent
	Pending   int // will be asked to confirm
	Kept      int // known already: kept as they are
	Forgotten int // asked to be forgotten: skipped
}

// The columns of a file, by the names that other programs give them.
var (
	addressColumns = []string{"email", "e-mail", "mail", "email address", "e-mail address", "email_address", "address"}
	givenColumns   = []string{"consent_given", "consent given", "confirmed_at", "confirmed at"}
	wordingColumns = []string{"consent_wording", "consent wording"}
)

// ReadImport reads a file of subscribers: UTF-8, with or without a byte order mark,
// with commas, semicolons or tabs, and a first line that names the columns.
func ReadImport(r io.Reader) (Import, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxCSV+1))
	if err != nil {
		return Import{}, err
	}
	if len(data) > maxCSV {
		return Import{}, fmt.Errorf("%w: it is larger than 64 MB", ErrCSV)
	}
	if bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}) || bytes.IndexByte(data, 0) >= 0 {
		return Import{}, fmt.Errorf("%w: it is UTF-16 or no text; save it as CSV in UTF-8", ErrCSV)
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	reader := csv.NewReader(bytes.NewReader(data))
	reader.Comma = delimiter(data)
	reader.FieldsPerRecord = -1
	reader.TrimLeadingSpace = true
	return readRows(reader)
}

// delimiter is the one that parts the first line into the most columns.
func delimiter(data []byte) rune {
	header, _, _ := bytes.Cut(data, []byte("\n"))
	best, most := ',', -1
	for _, d := range []rune{',', ';', '\t'} {
		if n := bytes.Count(header, []byte(string(d))); n > most {
			best, most = d, n
		}
	}
	return best
}

func readRows(reader *csv.Reader) (out Import, err error) {
	header, err := reader.Read()
	if err != nil {
		return out, fmt.Errorf("%w: it has no first line with the names of the columns", ErrCSV)
	}
	address, given, wording := column(header, addressColumns), column(header, givenColumns), column(header, wordingColumns)
	if address < 0 {
		return out, fmt.Errorf("%w: no column is named email; it has %q", ErrCSV, header)
	}
	for {
		row, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return Import{}, fmt.Errorf("%w: %w", ErrCSV, err)
		}
		line, _ := reader.FieldPos(0)
		parsed, err := mail.ParseAddress(strings.TrimPrefix(cell(row, address), "'"))
		if err != nil {
			out.Bad = append(out.Bad, line)
			continue
		}
		out.Rows = append(out.Rows, ImportRow{Address: parsed, Consent: consentOf(cell(row, given), cell(row, wording))})
	}
}

func column(header, names []string) int {
	for i, cell := range header {
		for _, name := range names {
			if strings.EqualFold(strings.TrimSpace(cell), name) {
				return i
			}
		}
	}
	return -1
}

func cell(row []string, i int) string {
	if i < 0 || i >= len(row) {
		return ""
	}
	return strings.TrimSpace(row[i])
}

// consentOf is proof of consent only if it says both when and to which words.
func consentOf(given, wording string) Consent {
	at, err := time.Parse(time.RFC3339, given)
	if err != nil || wording == "" {
		return Consent{}
	}
	return Consent{Given: at.UTC(), Wording: wording}
}

// ExportRow is one subscriber in a file.
type ExportRow struct {
	Address string
	State   State
	Since   time.Time
	Settings
	Consent Consent // the last one
}

// WriteExport writes subscribers as CSV that a spreadsheet opens: UTF-8 with a byte
// order mark, every cell in quotes, and none that could be taken for a formula
// (news-H35).
func WriteExport(w io.Writer, rows []ExportRow) error {
	var b strings.Builder
	b.WriteString("\ufeff")
	writeCells(&b, "email", "state", "since", "plain", "paused_until", "consent_given", "consent_wording")
	for _, r := range rows {
		plain := "no"
		if r.Plain {
			plain = "yes"
		}
		writeCells(&b, r.Address, string(r.State), stamp(r.Since), plain, stamp(r.PausedUntil), stamp(r.Consent.Given), r.Consent.Wording)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

func writeCells(b *strings.Builder, cells ...string) {
	for i, c := range cells {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"` + strings.ReplaceAll(guard(c), `"`, `""`) + `"`)
	}
	b.WriteString("\r\n")
}

// guard puts an apostrophe before what a spreadsheet would run.
func guard(cell string) string {
	if cell == "" {
		return cell
	}
	first := []rune(cell)[0]
	if strings.ContainsRune("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20", first) {
		return "'" + cell
	}
	return cell
}
