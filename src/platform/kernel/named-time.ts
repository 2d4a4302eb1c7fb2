/** A time as somebody names it, from its first millisecond to its last, both since 1970. A day is longer than a second. */
export interface NamedTime {
  readonly from: number;
  readonly to: number;
}

/** The forms of `namedTime`, for whoever typed something else. */
export const NAMED_TIMES =
  'ISO 8601, such as 2026-01-31 or 2026-01-31T18:30:00Z (a year or a month alone is none), or seconds since 1970';

/** Four digits are a year, so seconds have more. */
const SECONDS = /^(?!\d{4}$)\d{1,12}$/;
export const LAST_SECOND = 253_402_300_799;
const ISO = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,3})\d*)?)?(Z|z|[+-]\d\d:\d\d)?)?$/;

const [SECOND, MINUTE, DAY] = [1000, 60_000, 86_400_000] as const;

/**
 * Reads the time that a text names: a day, a minute, a second or a millisecond of ISO 8601, in UTC if it has no zone, or a
 * second since 1970. null: it names none.
 */
export function namedTime(text: string): NamedTime | null {
  if (SECONDS.test(text)) return Number(text) > LAST_SECOND ? null : during(Number(text) * SECOND, SECOND);
  const [, day, minute, second, fraction, zone = 'Z'] = ISO.exec(text) ?? [];
  if (day === undefined || !isDay(day)) return null;
  const from = Date.parse(
    `${day}T${minute ?? '00:00'}:${second ?? '00'}.${(fraction ?? '').padEnd(3, '0')}${zone.toUpperCase()}`,
  );
  if (!(from >= 0)) return null;
  if (fraction !== undefined) return during(from, 1);
  return during(from, second !== undefined ? SECOND : minute !== undefined ? MINUTE : DAY);
}

const during = (from: number, length: number): NamedTime => ({ from, to: from + length - 1 });

/** JavaScript takes February 31 for March 3. */
function isDay(day: string): boolean {
  const at = Date.parse(day);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}
