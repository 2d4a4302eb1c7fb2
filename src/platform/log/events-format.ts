/**
 * The events that this program knows, as one number: versions of all types of events, added up. A new type or a new
 * version raises it, and nothing lowers it, because what a log may hold stays known. It is stored with the log, so that an
 * older program refuses the log at its start, and not at the first event that it cannot read.
 * `test/events/events-format.spec.ts` gives the sum.
 */
export const EVENTS_FORMAT = 158;
