// Fails if sends are slower than those of the last release: a feature may cost 5 % of a send, and so may all of them together.
// `--routes` measures one request after the other of each route in its place, with the same verdict.
import { parseArgs } from 'node:util';
import { median, quantile } from './driver/figures.js';
import { measurePairs, type Pair, type Servers, startsOfBoth } from './gate/pairs.js';
import { buildIn, buildOf, commitOf, lastRelease } from './gate/release.js';
import { measureRoutes } from './gate/routes.js';
import { judge, LEAST } from './gate/verdict.js';
import { inRepository } from './root.js';
import { beginSession } from './session.js';

const CONCURRENCIES = [1, 64];

const { values } = parseArgs({
  options: { gate: { type: 'boolean' }, routes: { type: 'boolean' }, against: { type: 'string' } },
});
const root = inRepository('.');
const commit = values.against === undefined ? lastRelease(root) : commitOf(root, values.against);
if (commit === null) console.log('not compared: the history of this clone has no release before this commit');
else await compare(commit);

async function compare(commit: string): Promise<void> {
  const { directory, report, say } = beginSession({ messages: 5000, quick: false });
  const release = await buildOf(commit, root, say);
  const name = `${release.version} (${commit.slice(0, 8)})`;
  say(`beside ${name}`);
  const starts = startsOfBoth(buildIn(root), release, directory, say);
  const pairs = values.routes ? pairsOfRoutes(starts) : pairsOfSends(starts);
  const slower: string[] = [];
  for await (const { what, ratios, note, ...times } of pairs) {
    const { ratio, isBelow, isSure, ...counts } = judge(ratios);
    const lost = `slower in ${counts.slower} of ${ratios.length}`;
    report.rows.push({ what, value: ratio, unit: `× ${name}`, ...times, note: note ? `${note}; ${lost}` : lost });
    report.targets.push({ what, value: ratio, unit: `× ${name}`, bound: 'at least', limit: LEAST });
    if (isBelow && isSure) slower.push(what);
    else if (isBelow) say(`${what}: below the bound, but so could an equal build be by chance. This does not fail`);
  }
  if (slower.length === 0) return;
  say(`slower than ${name}: ${slower.join('; ')}`);
  process.exitCode = 1;
}

interface Compared {
  readonly what: string;
  readonly ratios: readonly number[];
  readonly p50: number;
  readonly p99: number;
  readonly note: string;
}

async function* pairsOfSends(starts: AsyncIterable<Servers>): AsyncGenerator<Compared> {
  const measured = CONCURRENCIES.map((concurrency) => ({ concurrency, pairs: [] as Pair[] }));
  for await (const servers of starts)
    for (const { concurrency, pairs } of measured) pairs.push(...(await measurePairs(servers, concurrency)));
  for (const { concurrency, pairs } of measured) {
    const ratios = pairs.map(({ own, release }) => own.perSecond / release.perSecond);
    const p50 = median(pairs.map(({ own }) => own.p50));
    const p99 = median(pairs.map(({ own }) => own.p99));
    yield { what: `sends, ${concurrency} at a time`, ratios, p50, p99, note: noteOf(pairs, ratios) };
  }
}

async function* pairsOfRoutes(starts: AsyncIterable<Servers>): AsyncGenerator<Compared> {
  for (const [what, { ratios, times }] of await measureRoutes(starts))
    yield { what, ratios, p50: median(times), p99: quantile(times, 0.99), note: '' };
}

function noteOf(pairs: readonly Pair[], ratios: readonly number[]): string {
  const middle = (figure: (pair: Pair) => number): number => median(pairs.map(figure));
  const rates = `${middle(({ own }) => own.perSecond).toFixed(0)}/s to ${middle(({ release }) => release.perSecond).toFixed(0)}/s`;
  const cpu = `CPU each × ${middle(({ own, release }) => own.cpuEach / release.cpuEach).toFixed(2)}`;
  return `${rates}; half of the pairs ${quantile(ratios, 0.25).toFixed(2)} to ${quantile(ratios, 0.75).toFixed(2)}; ${cpu}`;
}
