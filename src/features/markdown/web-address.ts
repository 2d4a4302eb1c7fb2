import tlds from 'tlds' with { type: 'json' };

/** Top-level domains that are mostly extensions of files. */
const FILES: ReadonlySet<string> = new Set(['java', 'md', 'mov', 'py', 'zip']);
const TOP_LEVEL: ReadonlySet<string> = new Set(tlds.filter((tld) => !FILES.has(tld)));

/** An address begins behind one of these characters, or behind struck text. */
const MAY_BEGIN = /(?:(?<![^\s'"(,:<])|(?<=~~[^~\n]+~~))\S/gu;
/** Characters that may follow an address without being part of it. */
const BEHIND: ReadonlySet<string> = new Set(`!:;?),.'">`);

const MOST_PARENTHESES = 7;

/** Greatest number of failed searches for a path in a word: each may read the rest of the word. */
const MOST_FAILED = 50;

interface Found {
  readonly url: string;
  readonly from: number;
}

/** The addresses in a text without markup: with `http://`, by their top-level domain, or of mail. */
export function* addressesIn(text: string): Iterable<Found> {
  if (!/[.@]|https?:\/\/|bitcoin:/.test(text)) return;
  let done = 0;
  let word: Word = { to: 0, trimmed: 0, failed: 0 };
  for (const { index: from } of text.matchAll(MAY_BEGIN)) {
    if (from < done) continue;
    if (from >= word.to) word = wordAt(text, from);
    if (from >= word.trimmed) continue;
    const to = endOfAddress(text, from, word);
    if (to === null) continue;
    yield { url: text.slice(from, to), from };
    done = to;
  }
}

interface Word {
  readonly to: number;
  /** The word's end without its final punctuation. */
  readonly trimmed: number;
  /** Number of failed searches for a path in it. */
  failed: number;
}

function wordAt(text: string, from: number): Word {
  const space = /\s/g;
  space.lastIndex = from;
  const to = space.exec(text)?.index ?? text.length;
  let trimmed = to;
  while (trimmed > from && BEHIND.has(text[trimmed - 1] ?? '')) trimmed -= 1;
  return { to, trimmed, failed: 0 };
}

function endOfAddress(text: string, from: number, word: Word): number | null {
  const [scheme] = matchAt(/https?:\/\//y, text, from) ?? [''];
  const host = from + scheme.length;
  const hostEnd =
    host + (matchAt(scheme === '' ? /[\p{L}\p{N}_.-]*/uy : /[\p{L}\p{N}_.:@-]*/uy, text, host)?.[0].length ?? 0);
  if (text[hostEnd] === '/' && hostEnd > host) {
    if (word.failed < MOST_FAILED && (scheme !== '' || isDomain(text.slice(host, hostEnd)))) {
      const end = endOfPath(text, hostEnd, word);
      if (end !== null) return end;
      word.failed += 1;
    }
  } else if (
    scheme !== ''
      ? word.trimmed > host && word.trimmed <= hostEnd
      : word.trimmed <= hostEnd && isDomain(text.slice(from, word.trimmed))
  ) {
    return word.trimmed;
  }
  const rest = text.slice(from, word.trimmed);
  if (/^[\p{L}\p{N}_.-]+@[\p{L}\p{N}_.-]+\.[\p{L}\p{N}_]+$/u.test(rest)) return word.trimmed;
  return /^bitcoin:[13][a-km-zA-HJ-NP-Z1-9]{25,34}$/.test(rest) ? word.trimmed : null;
}

function isDomain(host: string): boolean {
  const labels = host.split('.');
  const last = labels.pop() ?? '';
  return labels.length > 0 && TOP_LEVEL.has(last) && labels.every((label) => /^[\p{L}\p{N}_-]+$/u.test(label));
}

/** The end of a path: the first index that only punctuation follows, with all parentheses closed. */
function endOfPath(text: string, from: number, { to, trimmed }: Word): number | null {
  let open = 0;
  for (let at = from; at <= to; at++) {
    if (open === 0 && at >= trimmed) return at;
    const character = text[at];
    if (character === '"') return null;
    if (character === '(' && ++open > MOST_PARENTHESES) return null;
    if (character === ')' && --open < 0) return null;
  }
  return null;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
