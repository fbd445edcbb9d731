// Package slots says when a call can begin: a pure function from the hours that
// the owner wrote, the calls there are, and now, to instants.
//
// # Terms
//
// Z is the practice's zone, V the visitor's. A window is a weekday, or a date,
// with two clock readings in Z. A run is an unbroken stretch of instants in which
// the practice is available. A start is an instant at which a call may begin.
//
// # The order of steps
//
//  1. Windows to instants. A window stands for every instant whose clock in Z
//     shows its date and a time in it. Z is cut where its offset changes
//     ([time.Time.ZoneBounds]); within a piece an instant is the local reading
//     minus the offset. So a time skipped in spring has no instant, and one
//     repeated in autumn has two, without a special case. [time.Date] is not
//     used: for a time that does not exist, or exists twice, it picks one by
//     the zone's history.
//  2. The rules for a date replace those of its weekday whole.
//  3. Stretches that touch merge into runs, over midnight too.
//  4. Each run has a grid of its own: from its first instant every Step, kept
//     where start + Length is not after the end of the run. A run of seven days
//     or more begins its grid anew with each Monday of Z.
//  5. Left out are starts before now + Notice (equality is kept) or before the
//     first day that NoticeDays allows; after the last day of Horizon; on a day of
//     Z that has PerDay calls; closer to another call than the longer of Before
//     and After; and those whose [start - Before, end + After) meets a busy time.
//  6. From and To are days in V, both included.
//
// All durations are elapsed time. Days are days of a calendar: today + n is n
// dates on, however long those dates were.
//
// # The file
//
// [Parse] reads content/availability.yaml. It is strict, and its findings name
// the line and the right form.
package slots
