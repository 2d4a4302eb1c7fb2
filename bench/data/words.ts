export const WORDS = (
  'we should look at the numbers again before the release because last week the import took longer than anyone ' +
  'expected and nobody could say why so I wrote down what each step costs and where the time goes on a normal day ' +
  'can you check whether the index is used there or send me the plan please thanks that fixed it for me the test ' +
  'passes now on both machines but I would like to see it run for an hour first'
).split(' ');

const EXTRAS = [
  'see https://example.org/issues/2817',
  '**this one matters**',
  '`SELECT count(*) FROM messages`',
  '\n\n- first the log\n- then the documents',
  '*maybe*',
  '\n```\nerror: not found\n```',
];

/** Writes a message of 3 to 60 words, one of five with some markup. The same number gives the same text. */
export function textOf(n: number) {
  const random = randomFrom(n);
  const length = 3 + Math.floor(random() ** 2 * 57);
  const start = Math.floor(random() * WORDS.length);
  const words = Array.from({ length }, (_, index) => WORDS[(start + index * 7) % WORDS.length]);
  const extra = random() < 0.2 ? ` ${EXTRAS[Math.floor(random() * EXTRAS.length)]}` : '';
  return words.join(' ') + extra;
}

const TOPICS = ['deploys', 'design review', 'onboarding', 'flaky tests', 'lunch', 'performance', 'Q3 plan', 'backups'];

export const topicOf = (n: number) => `${TOPICS[n % TOPICS.length]} ${Math.floor(n / TOPICS.length)}`;

/** Makes a generator of numbers from 0 to below 1 (mulberry32). The same seed gives the same numbers everywhere. */
export function randomFrom(seed: number) {
  let state = (seed * 2654435761) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
