import { fold } from '../../kernel/fold.js';

const BEFORE: ReadonlySet<string | undefined> = new Set([undefined, ...' \t\n("\'.,;[*`>']);
const AFTER: ReadonlySet<string | undefined> = new Set([undefined, ...' \t\n)"\'.,;:?!]*`']);

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const BEHIND_LAST_FENCE = /^[`~]*[ \t]*$/;

/** Blocks of code are nobody's words. What is not closed is no block. Looks at each line a few times, whatever they are. */
function withoutCodeBlocks(text: string): string {
  const lines = text.split('\n');
  const fences = lines.flatMap((line, at) => {
    const [, fence, behind = ''] = FENCE.exec(line) ?? [];
    return fence === undefined
      ? []
      : [{ at, kind: fence[0], length: fence.length, closes: BEHIND_LAST_FENCE.test(behind) }];
  });
  /** Fences from this length on that nothing closes, by what they are made of. */
  const unclosed = new Map<string | undefined, number>();
  const said: string[] = [];
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
    said.push(...lines.slice(next, at), '');
    next = end.at + 1;
  }
  return [...said, ...lines.slice(next)].join('\n');
}

/** Whether one of the words stands in a text by itself, in any case. */
export function hasOneOf(words: readonly string[], text: string): boolean {
  if (words.length === 0) return false;
  const folded = fold(text.includes('```') || text.includes('~~~') ? withoutCodeBlocks(text) : text);
  return words.some((word) => stands(fold(word), folded));
}

function stands(word: string, text: string): boolean {
  if (word === '') return false;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (BEFORE.has(text[at - 1]) && AFTER.has(text[at + word.length])) return true;
  return false;
}
