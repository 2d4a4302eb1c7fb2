// @ts-check
// `npm run bench` runs the bench as `npm run build` has compiled it, beside the built program that it measures.
import { existsSync } from 'node:fs';

const name = process.argv.includes('--engines') ? 'measure-engines' : 'measure';
const bench = new URL(`../dist/bench/${name}.js`, import.meta.url);
if (existsSync(bench)) await import(bench.href);
else {
  console.error('The bench measures the built program. Build it first: npm run build');
  process.exitCode = 1;
}
