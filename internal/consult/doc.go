// Package consult is the booking of a call: what may be asked for, what follows
// from it, and what may be said on which channel.
//
// # A booking
//
// A call is confirmed from the moment it is booked. It can become cancelled, done
// or no-show, and nothing else. Its visitor may move or cancel it until it begins;
// cancelling frees the time at once, and doing it twice is harmless. Moving keeps
// the row and its calendar identity and raises its sequence; if the new time is
// gone the old one stays. A change of the practice's hours never changes a booking.
//
// # One winner
//
// A time is an instant, never a reading of a clock. What the page offered is
// checked again inside the transaction that writes, with the same function
// ([slots.Starts]), and the database's own unique index and overlap triggers judge
// last. A form that was made at most half an hour ago keeps the notice it met then;
// every other rule holds at the time of the post. The same form key always leads
// to the same booking.
//
// What was refused says why by its kind: fault.Invalid if the time was never on
// offer, or a field has to be put right; fault.Taken if somebody was faster or the
// call has begun; fault.TooMany if a budget is used up. With the first two come the
// nearest free times, in a [Refused].
//
// # Channels
//
// Nothing is sent on a channel that the visitor did not mark safe: no address, no
// mail. Messages are rows written with the booking; [Mails] gives them their words
// when they are sent, from what is true then, and drops what is no longer wanted.
// Their words, and those of calendar entries, tell nothing of why somebody calls
// ([Banned] is the list that they are tested against). The owner's mails hold the
// time alone.
//
// # Forgetting
//
// Who is called, and how, stands in one sealed row beside the booking. It goes
// seven days after the call; when the visitor cancels, as soon as no allowed
// message waits, after a day at most; when the practice cancels, at the time the
// call would have begun. The private address of a booking ends with it, or a day
// after a cancelled call was to begin. The times alone are kept for thirty days.
package consult
