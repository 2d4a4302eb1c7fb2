// Runs the specs whose paths match; without a path, all but the slow ones:
//   npm test [-- PATTERN... | jest options]
// --slow: the slow ones alone; --all: both; --turn=1/3: a third of these; --record: writes down how long each takes, in
// test/durations.json.
import { isSlow, runJest, specsOf } from './jest.js';
import { inTurn } from './spec-groups.js';

const options: string[] = [];
const patterns: string[] = [];
const own = new Set<string>();
let turn = '1/1';
for (const given = process.argv.slice(2); given.length > 0; ) {
  const [argument = '', name = ''] = given.splice(0, given[0] === '-t' ? 2 : 1);
  if (argument === '-t') options.push(`--testNamePattern=${name}`);
  else if (argument.startsWith('--turn=')) turn = argument.slice('--turn='.length);
  else if (['--slow', '--all', '--record'].includes(argument)) own.add(argument);
  else (argument.startsWith('-') ? options : patterns).push(argument);
}
const found = await specsOf(patterns);
const isWanted = own.has('--slow') ? isSlow : own.has('--all') || patterns.length > 0 ? () => true : notSlow;
const specs = await inTurn(found.filter(isWanted), turn);
const areAll =
  patterns.length === 0 &&
  own.size === 0 &&
  turn === '1/1' &&
  !options.some((option) => option.startsWith('--testName'));
process.exitCode = await runJest({ options, specs, records: own.has('--record'), budgets: areAll });

function notSlow(path: string): boolean {
  return !isSlow(path);
}
