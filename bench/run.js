// @ts-check
// `npm run bench` and `npm run attack` run as `npm run build` has compiled them, beside the built program that they measure.
import { existsSync } from 'node:fs';

const isAttack = process.argv[2] === 'attack';
if (isAttack) process.argv.splice(2, 1);
const has = (/** @type {string} */ option) => process.argv.includes(option);
const name = isAttack ? 'attack' : has('--gate') ? 'gate' : has('--engines') ? 'measure-engines' : 'measure';
const bench = new URL(`../dist/bench/${name}.js`, import.meta.url);
if (existsSync(bench)) await import(bench.href);
else {
  console.error('The bench measures the built program. Build it first: npm run build');
  process.exitCode = 1;
}
