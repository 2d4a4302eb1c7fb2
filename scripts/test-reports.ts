import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

export interface TestCounts {
  readonly passed: number;
  /** Names of tests, and of files that could not be loaded. */
  readonly failed: readonly string[];
}

/** Adds up the results that Jest wrote to `*.jest.json` in a folder. */
export function countTests(folder: string): TestCounts {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.jest.json')) : [];
  const reports = files.map((name): Report => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  return {
    passed: reports.reduce((total, report) => total + report.numPassedTests, 0),
    failed: reports.flatMap((report) => report.testResults).flatMap(failedOf),
  };
}

function failedOf({ name, status, message, assertionResults }: Report['testResults'][number]): readonly string[] {
  const failed = assertionResults.filter((test) => test.status === 'failed').map((test) => test.fullName);
  const isNotLoaded = status === 'failed' && assertionResults.length === 0;
  return isNotLoaded ? [`${name}: ${message.split('\n')[0]}`] : failed;
}
