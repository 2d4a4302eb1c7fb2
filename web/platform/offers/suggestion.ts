/** A name that is offered while one writes it. */
export interface Suggestion {
  readonly key: string;
  readonly label: string;
  /** Stands in the text if it is chosen. */
  readonly text: string;
  /** The address of a picture of it. */
  readonly picture?: string;
}

const MOST = 8;

/** Names that begin with the words, then those with a word that does, then those that contain them. */
export function best<One>(all: readonly One[], words: string, nameOf: (one: One) => string): readonly One[] {
  const ranked: One[][] = [[], [], []];
  for (const one of all) {
    const name = nameOf(one).toLowerCase();
    const at = name.indexOf(words);
    if (at < 0) continue;
    const rank = at === 0 ? 0 : /[\s_-]/.test(name[at - 1] ?? '') ? 1 : 2;
    ranked[rank]?.push(one);
  }
  return ranked.flatMap((some) => some.sort((a, b) => nameOf(a).length - nameOf(b).length)).slice(0, MOST);
}
