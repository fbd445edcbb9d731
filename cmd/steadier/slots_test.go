package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// runSlots runs the command over hours and returns its status and what it wrote.
func runSlots(t *testing.T, hours string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "availability.yaml")
	if err := os.WriteFile(file, []byte(hours), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	env := Env{
		Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" },
		Now: func() time.Time { panic("the answer must not depend on the clock") },
	}
	status = printSlots(context.Background(), env, append([]string{"-availability", file}, args...))
	return status, out.String(), strings.ReplaceAll(errs.String(), file, "FILE")
}

func fixture(lines string) string {
	return "length: 15m\nbefore: 0m\nnotice: 0m\nnotice_days: 0\nper_day: 0\n" + lines
}

func TestSlotsPrintsStartsInTheVisitorsZone(t *testing.T) {
	for _, c := range []struct {
		name, hours string
		args        []string
		want        string
	}{
		{
			"booking-H02 both hours of an overlap",
			fixture("zone: America/Chicago\nstep: 60m\nafter: 0m\nhorizon: 28\nweek:\n  sun: [\"00:00-06:00\"]\n"),
			[]string{"-zone", "America/Chicago", "-now", "2026-10-20T12:00:00Z", "-from", "2026-11-01", "-to", "2026-11-01"},
			"2026-11-01T00:00:00-05:00 2026-11-01T01:00:00-05:00 2026-11-01T01:00:00-06:00 2026-11-01T02:00:00-06:00 " +
				"2026-11-01T03:00:00-06:00 2026-11-01T04:00:00-06:00 2026-11-01T05:00:00-06:00",
		},
		{
			"booking-H11 over the date line",
			fixture("zone: Pacific/Auckland\nstep: 30m\nafter: 0m\nhorizon: 5\nweek:\n  mon: [\"09:00-10:00\"]\n"),
			[]string{"-zone", "Pacific/Honolulu", "-now", "2026-07-09T00:00:00Z"},
			"2026-07-12T11:00:00-10:00 2026-07-12T11:30:00-10:00",
		},
		{
			"booking-H14 a date of its own",
			fixture("zone: Europe/Amsterdam\nstep: 30m\nafter: 0m\nhorizon: 28\nweek: {}\ndates:\n  2026-07-18: [\"00:00-00:15\"]\n"),
			[]string{"-zone", "America/New_York", "-now", "2026-07-13T00:00:00Z"},
			"2026-07-17T18:00:00-04:00",
		},
		{
			"booking-H19 busy times",
			fixture("zone: Europe/London\nstep: 30m\nafter: 0m\nhorizon: 6\nweek:\n  tue: [\"08:00-11:00\"]\n"),
			[]string{
				"-zone", "Europe/London", "-now", "2024-04-26T00:00:00Z",
				"-busy", "2024-04-30T07:00:00Z/2024-04-30T08:00:00Z", "-busy", "2024-04-30T10:00:00+01:00/2024-04-30T11:00:00+01:00",
			},
			"2024-04-30T09:00:00+01:00 2024-04-30T09:30:00+01:00",
		},
		{
			"booking-H20 buffers",
			fixture("zone: Europe/London\nstep: 15m\nafter: 15m\nhorizon: 5\nweek:\n  mon: [\"09:00-11:30\"]\n"),
			[]string{"-zone", "UTC", "-now", "2026-06-05T12:00:00Z", "-booked", "2026-06-08T09:00:00Z"},
			"2026-06-08T08:00:00Z 2026-06-08T08:15:00Z 2026-06-08T08:30:00Z 2026-06-08T09:30:00Z " +
				"2026-06-08T09:45:00Z 2026-06-08T10:00:00Z 2026-06-08T10:15:00Z",
		},
		{
			"no times are no output",
			fixture("zone: Europe/London\nstep: 15m\nafter: 0m\nhorizon: 5\nweek: {}\n"),
			[]string{"-zone", "UTC", "-now", "2026-06-05T12:00:00Z"},
			"",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, out, errs := runSlots(t, c.hours, c.args...)
			if status != exitOK || errs != "" {
				t.Errorf("status %d, errors %q", status, errs)
			}
			want := strings.ReplaceAll(c.want, " ", "\n")
			if want != "" {
				want += "\n"
			}
			if diff := cmp.Diff(want, out); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSlotsSaysWhatIsWrong(t *testing.T) {
	hours := fixture("zone: Europe/London\nstep: 15m\nafter: 0m\nhorizon: 5\nweek: {}\n")
	now := []string{"-zone", "UTC", "-now", "2026-06-05T12:00:00Z"}
	for _, c := range []struct {
		name   string
		hours  string
		args   []string
		status int
		want   string
	}{
		{"unknown zone", hours, []string{"-zone", "Europe/Atlantis", "-now", "2026-06-05T12:00:00Z"}, exitUsage, "unknown time zone"},
		{"empty zone", hours, []string{"-zone", "", "-now", "2026-06-05T12:00:00Z"}, exitUsage, "unknown time zone"},
		{"local zone", hours, []string{"-zone", "Local", "-now", "2026-06-05T12:00:00Z"}, exitUsage, "unknown time zone"},
		{"no zone", hours, []string{"-now", "2026-06-05T12:00:00Z"}, exitUsage, "-zone is missing"},
		{"no now", hours, []string{"-zone", "UTC"}, exitUsage, "-now is missing"},
		{"impossible time", hours, []string{"-zone", "UTC", "-now", "2026-02-30T12:00:00Z"}, exitUsage, "want a time such as"},
		{"time without zone", hours, []string{"-zone", "UTC", "-now", "2026-02-20T12:00:00"}, exitUsage, "want a time such as"},
		{"impossible date", hours, append(now, "-from", "2026-02-30"), exitUsage, "is no date"},
		{"from after to", hours, append(now, "-from", "2026-06-09", "-to", "2026-06-08"), exitUsage, "is after -to"},
		{"busy the wrong way round", hours, append(now, "-busy", "2026-06-05T13:00:00Z/2026-06-05T12:00:00Z"), exitUsage, "earlier time first"},
		{"busy with one time", hours, append(now, "-busy", "2026-06-05T13:00:00Z"), exitUsage, "want two times"},
		{"a stray argument", hours, append(now, "tomorrow"), exitUsage, "unexpected argument"},
		{"an unknown flag", hours, append(now, "-hours", "x"), exitUsage, "not defined"},
		{"a fault in the file", strings.Replace(hours, "step: 15m", "step: 0m", 1), now, exitFault, "FILE:7: error: step must be between"},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, out, errs := runSlots(t, c.hours, c.args...)
			if status != c.status || out != "" || !strings.Contains(errs, c.want) || strings.Count(errs, "\n") != 1 {
				t.Errorf("status %d, output %q, errors %q; want %d and one line with %q", status, out, errs, c.status, c.want)
			}
		})
	}
}
