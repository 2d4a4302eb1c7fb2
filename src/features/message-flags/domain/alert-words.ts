import { foldCase } from '../../../platform/kernel/text.js';

const BEFORE: ReadonlySet<string | undefined> = new Set([undefined, ...' \t\n("\'.,;[*`>']);
const AFTER: ReadonlySet<string | undefined> = new Set([undefined, ...' \t\n)"\'.,;:?!]*`']);

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const BEHIND_LAST_FENCE = /^[`~]*[ \t]*$/;

/**
 * Removes blocks of code: alert words in them do not count. An unclosed block is not a block. Reads each line a bounded
 * number of times.
 */
function withoutCodeBlocks(text: string): string {
  const lines = text.split('\n');
  const fences = lines.flatMap((line, at) => {
    const [, fence, behind = ''] = FENCE.exec(line) ?? [];
    return fence === undefined
      ? []
      : [{ at, kind: fence[0], length: fence.length, closes: BEHIND_LAST_FENCE.test(behind) }];
  });
  /** The least length from which fences are known to be unclosed, by their character. */
  const unclosed = new Map<string | undefined, number>();
  const kept: string[] = [];
  let next = 0;
  for (const [index, { at, kind, length }] of fences.entries()) {
    if (at < next || length >= (unclosed.get(kind) ?? Number.POSITIVE_INFINITY)) continue;
    const end = fences.find(
      (fence, later) => later > index && fence.closes && fence.kind === kind && fence.length >= length,
    );
    if (!end) {
      unclosed.set(kind, length);
      continue;
    }
    kept.push(...lines.slice(next, at), '');
    next = end.at + 1;
  }
  return [...kept, ...lines.slice(next)].join('\n');
}

/** Whether a text contains one of the words by itself, in any case. */
export function hasOneOf(words: readonly string[], text: string): boolean {
  if (words.length === 0) return false;
  const folded = foldCase(text.includes('```') || text.includes('~~~') ? withoutCodeBlocks(text) : text);
  return words.some((word) => standsAlone(foldCase(word), folded));
}

function standsAlone(word: string, text: string): boolean {
  if (word === '') return false;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (BEFORE.has(text[at - 1]) && AFTER.has(text[at + word.length])) return true;
  return false;
}
