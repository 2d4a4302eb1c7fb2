// Runs the specs whose paths match, or all:
//   npm test [-- PATTERN... | jest options]
import { runJest } from './jest.js';

const options: string[] = [];
const patterns: string[] = [];
for (const given = process.argv.slice(2); given.length > 0; ) {
  const [argument = '', name = ''] = given.splice(0, given[0] === '-t' ? 2 : 1);
  if (argument === '-t') options.push(`--testNamePattern=${name}`);
  else (argument.startsWith('-') ? options : patterns).push(argument);
}
process.exitCode = await runJest({ options, patterns });
