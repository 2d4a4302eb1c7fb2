// Adds up the results that Jest wrote with --json: `N passed, N failed`.
// Usage: node scripts/run.js scripts/count-tests.ts FILE...
import { existsSync, readFileSync } from 'node:fs';

interface Run {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
}

const runs = process.argv
  .slice(2)
  .filter((file) => existsSync(file))
  .map((file): Run => JSON.parse(readFileSync(file, 'utf8')));
const sum = (count: (run: Run) => number): number => runs.reduce((total, run) => total + count(run), 0);
/** Files that could not be loaded. */
const broken = (run: Run): number =>
  run.testResults.filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0).length;

console.log(`${sum((run) => run.numPassedTests)} passed, ${sum((run) => run.numFailedTests + broken(run))} failed`);
