/** Abbreviations of time zones, in minutes east of Greenwich. */
const ZONES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    UTC: 0,
    GMT: 0,
    Z: 0,
    WET: 0,
    WEST: 60,
    BST: 60,
    CET: 60,
    CEST: 120,
    EET: 120,
    EEST: 180,
    SAST: 120,
    WAT: 60,
    MSK: 180,
    PKT: 300,
    IST: 330,
    HKT: 480,
    SGT: 480,
    AWST: 480,
    JST: 540,
    KST: 540,
    ACST: 570,
    AEST: 600,
    ACDT: 630,
    AEDT: 660,
    NZST: 720,
    NZDT: 780,
    NST: -210,
    NDT: -150,
    AST: -240,
    ADT: -180,
    EST: -300,
    EDT: -240,
    CST: -360,
    CDT: -300,
    MST: -420,
    MDT: -360,
    PST: -480,
    PDT: -420,
    AKST: -540,
    AKDT: -480,
    HST: -600,
  }),
);

const MONTHS: readonly string[] = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const LONG_MONTHS: readonly string[] =
  'january february march april may june july august september october november december'.split(' ');
const DAYS = /^(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?$/;
const FILLERS: ReadonlySet<string> = new Set(['at', 'on', 'of', 'and', 't', ',']);

/** Of a zone's offset, in minutes: no place is further from Greenwich. */
const MOST_OFFSET = 14 * 60;

/** Last second of the year 9999, in Unix seconds. */
const LAST = 253_402_300_799;

const TOKEN =
  /(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)|(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?|([+-])(\d{2}):?(\d{2})?(?!\d)|(\d{1,4})([/.-])(\d{1,2})\12(\d{1,4})|(\d+)(?:st|nd|rd|th)?|([a-z]+)\.?|,|\s+/iy;

/** A date, and a time, without separators; a zone may follow. */
const COMPACT = /^(\d{4})(\d{2})(\d{2})(?:T?(\d{2})(\d{2})(?:(\d{2})(?:[.,](\d{1,9}))?)?)?(?![\d.,:/-]\d|\d)/i;

interface Parts {
  year?: number;
  month?: number;
  day?: number;
  hour?: number;
  minute?: number;
  second?: number;
  fraction?: string;
  /** Minutes east of Greenwich. */
  zone?: number;
}

/**
 * A moment in UTC, as ISO 8601, of a date as people write it: `2026-05-01T10:30Z`, `1 May 2026, 10:30 pm CET`, Unix
 * seconds. Without a zone it is UTC. null if the text names no day, or is not a date.
 */
export function momentOf(text: string): string | null {
  const seconds =
    /^\s*\d+(?:\.\d+)?\s*$/.test(text) && !/^\s*(?:\d{8}|\d{12}|\d{14})\s*$/.test(text) ? text.trim().split('.') : null;
  if (seconds) return Number(seconds[0]) <= LAST ? iso(Number(seconds[0]) * 1000, seconds[1] ?? '') : null;
  const parts = partsOf(text.trim());
  if (!parts || parts.year === undefined || parts.month === undefined) return null;
  const { year, month, day = 1, hour = 0, minute = 0, second = 0, fraction = '', zone = 0 } = parts;
  if (Math.abs(zone) > MOST_OFFSET) return null;
  if (month < 1 || month > 12 || hour > 23 || minute > 59 || second > 59 || year < 1) return null;
  const at = new Date(0);
  at.setUTCFullYear(year, month - 1, day);
  if (day < 1 || at.getUTCDate() !== day) return null;
  at.setUTCHours(hour, minute - zone, second);
  // Out of the platform's range, the year is NaN.
  return !(at.getUTCFullYear() >= 1 && at.getTime() <= LAST * 1000) ? null : iso(at.getTime(), fraction);
}

function iso(milliseconds: number, fraction: string): string {
  const at = new Date(milliseconds).toISOString().slice(0, 19);
  return /[1-9]/.test(fraction) ? `${at}.${fraction.slice(0, 6).padEnd(6, '0')}Z` : `${at}Z`;
}

function partsOf(text: string): Parts | null {
  const parts: Parts = {};
  const loose: number[] = [];
  const compact = COMPACT.exec(text);
  if (compact) Object.assign(parts, compactParts(compact));
  for (let at = compact?.[0].length ?? 0; at < text.length; ) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text);
    if (!token || !isRead(token, parts, loose)) return null;
    at += token[0].length;
  }
  return loose.every((number) => isPlaced(number, parts)) ? parts : null;
}

function compactParts([, year, month, day, hour = '0', minute = '0', second = '0', fraction]: RegExpExecArray): Parts {
  const numbers = { year, month, day, hour, minute, second };
  const parts = Object.fromEntries(Object.entries(numbers).map(([name, digits]) => [name, Number(digits)]));
  return { ...parts, ...(fraction !== undefined && { fraction }) };
}

/** @param loose numbers whose meaning depends on other parts */
function isRead(token: RegExpExecArray, parts: Parts, loose: number[]): boolean {
  const [, year, month, day, hour, minute, second, fraction, sign, zoneHours, zoneMinutes] = token;
  const [first, , middle, last, number, word] = token.slice(11);
  if (year !== undefined) Object.assign(parts, { year: Number(year), month: Number(month), day: Number(day) });
  else if (hour !== undefined) {
    Object.assign(parts, { hour: Number(hour), minute: Number(minute), second: Number(second ?? 0) });
    if (fraction !== undefined) parts.fraction = fraction;
  } else if (sign !== undefined) {
    if (parts.hour === undefined) return false;
    parts.zone = (sign === '-' ? -1 : 1) * (Number(zoneHours) * 60 + Number(zoneMinutes ?? 0));
  } else if (first !== undefined) return isDate(first, middle ?? '', last ?? '', parts);
  else if (number !== undefined) loose.push(Number(number));
  else if (word !== undefined) return isWord(word.toLowerCase(), parts, loose);
  return true;
}

/** Year first, or month, day and year. */
function isDate(first: string, middle: string, last: string, parts: Parts): boolean {
  if (first.length > 2) Object.assign(parts, { year: Number(first), month: Number(middle), day: Number(last) });
  else {
    const year = last.length > 2 ? Number(last) : 2000 + Number(last);
    const [month, day] = Number(first) > 12 ? [middle, first] : [first, middle];
    Object.assign(parts, { year, month: Number(month), day: Number(day) });
  }
  return true;
}

function isWord(word: string, parts: Parts, loose: number[]): boolean {
  const month = Math.max(MONTHS.indexOf(word === 'sept' ? 'sep' : word), LONG_MONTHS.indexOf(word)) + 1;
  const zone = ZONES.get(word.toUpperCase());
  if (word === 'am' || word === 'pm') return isHalfDay(word, parts, loose);
  if (month > 0 && parts.month === undefined) parts.month = month;
  else if (zone !== undefined && parts.hour !== undefined) parts.zone = zone;
  else return DAYS.test(word) || FILLERS.has(word);
  return true;
}

function isHalfDay(half: 'am' | 'pm', parts: Parts, loose: number[]): boolean {
  parts.hour ??= loose.pop();
  if (parts.hour === undefined || parts.hour > 12 || parts.hour < 1) return false;
  parts.hour = (parts.hour % 12) + (half === 'pm' ? 12 : 0);
  return true;
}

function isPlaced(number: number, parts: Parts): boolean {
  if (number > 31 && parts.year === undefined) parts.year = number < 100 ? 2000 + number : number;
  else if (parts.day === undefined && number <= 31) parts.day = number;
  else if (parts.year === undefined) parts.year = 2000 + number;
  else return false;
  return true;
}
