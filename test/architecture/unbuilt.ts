/** How documents say that something is missing. */
const UNBUILT = new RegExp(
  [
    'not(?: yet)? (?:built|implemented)(?: yet)?',
    '(?:is|are) (?:still )?(?:to be (?:built|implemented)|planned)',
    'will be (?:built|implemented|added)',
    'do(?:es)? not exist yet',
    'comes? (?:later|soon)(?= *(?:[.,;:|)]|$))',
    'there (?:is|are) (?:not|no)(?=.* yet\\b)',
  ]
    .map((phrase) => `\\b${phrase}`)
    .join('|'),
  'i',
);

/** Words that name nothing, and the name of the program. */
const FILLERS = new Set(
  'a an the of for from to in on by with at as is are be was been has have would can too yet still annal'.split(' '),
);

const singular = (word: string): string => (word.length > 3 ? word.replace(/(?<![su])s$/, '') : word);

const wordsOf = (text: string): readonly string[] =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .map(singular);

/** Answers the sentences of a page of Markdown, without what stands between fences. */
function sentencesOf(page: string): readonly string[] {
  return page
    .replace(/^```[\s\S]*?^```/gm, '')
    .split(/\n\s*\n|\n(?=\s*(?:[-*|#]|\d+\.) )|(?<=[.;?!])\s+(?=[A-Z`*[])| \| /)
    .map((sentence) => sentence.replace(/\s+/g, ' ').trim());
}

/** Answers what a sentence may call unbuilt: its parts between commas, without relative clauses and fillers. */
function subjectsOf(sentence: string): readonly (readonly string[])[] {
  return sentence
    .replace(UNBUILT, ',')
    .split(/[,:;()]| and | or /)
    .filter((part) => !/^\s*(?:and )?(?:which|who|what|why|that|it|they)\b/i.test(part))
    .map((part) => wordsOf(part).filter((word) => !FILLERS.has(word)))
    .filter((words) => words.length > 0);
}

/** Answers the sentences of a page that call something unbuilt, all of whose words are in the path of one source. */
export function wronglyUnbuilt(page: string, sources: readonly string[]): readonly string[] {
  const paths = sources.map((path) => ({ path, words: new Set(wordsOf(path.replace(/^src\/|\.ts$/g, ''))) }));
  return sentencesOf(page)
    .filter((sentence) => UNBUILT.test(sentence))
    .flatMap((sentence) => {
      const built = subjectsOf(sentence).flatMap((subject) =>
        paths.filter(({ words }) => subject.every((word) => words.has(word))).slice(0, 1),
      );
      return built.map(({ path }) => `${sentence} (${path})`);
    });
}
