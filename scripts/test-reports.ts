// Names the failed tests in the results that Jest wrote with --json, and adds all up: `N passed, N failed`.
// Usage: node scripts/run.js scripts/count-tests.ts FILE...
import { existsSync, readFileSync } from 'node:fs';

interface Run {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

const runs = process.argv
  .slice(2)
  .filter((file) => existsSync(file))
  .map((file): Run => JSON.parse(readFileSync(file, 'utf8')));
const results = runs.flatMap((run) => run.testResults);
const failed = [
  ...results
    .flatMap(({ assertionResults }) => assertionResults.filter(({ status }) => status === 'failed'))
    .map(({ fullName }) => fullName),
  // Files that could not be loaded.
  ...results
    .filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0)
    .map(({ name, message }) => `${name}: ${message.split('\n')[0]}`),
];

for (const name of failed) console.log(`✕ ${name}`);
console.log(`${runs.reduce((total, run) => total + run.numPassedTests, 0)} passed, ${failed.length} failed`);
