// @ts-check
import { parseArgs } from 'node:util';

/** @typedef {ReturnType<typeof readOptions>} Options */

const HELP = `npm run bench -- [options]

  --engines          EventStoreDB and MongoDB, many processes: see below
  --quick            a smoke run of less than a minute: its figures say little
  --messages <n>     messages in the log (MESSAGES; with --quick QUICKLY)
  --only <names>     measure only these, with commas between: MEASUREMENTS
  --keep <folder>    keep the data there, and use what a run before has left
  --cpu-prof <dir>   write V8 CPU profiles of the servers there
  --help

--engines measures on the servers that EVENTSTORE_URL and MONGODB_URL name, in a database and under names of its own.
Without EVENTSTORE_URL it starts what stands in for EventStoreDB in the tests.
`;

/**
 * @param {readonly string[]} measurements their names
 * @param {{ messages: number, quickly: number, least: number }} defaults messages in the log
 * @throws Error for options that are none
 */
export function readOptions(measurements, { messages: usual, quickly, least }) {
  const { values } = parseArgs({
    options: {
      engines: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      messages: { type: 'string' },
      only: { type: 'string' },
      keep: { type: 'string' },
      'cpu-prof': { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const messages = Number(values.messages ?? (values.quick ? quickly : usual));
  if (!Number.isSafeInteger(messages) || messages < least) throw new Error(`--messages: a number from ${least}`);
  const only = values.only?.split(',') ?? [...measurements];
  const unknown = only.filter((name) => !measurements.includes(name));
  if (unknown.length > 0) throw new Error(`--only knows ${measurements.join(', ')}; not ${unknown.join(', ')}`);
  if (values.engines && values.keep !== undefined) throw new Error('--keep is for the embedded engines');
  return {
    quick: values.quick,
    messages,
    only,
    keep: values.keep ?? null,
    profileDirectory: values['cpu-prof'] ?? null,
    help: values.help ? helpOf(measurements, usual, quickly) : null,
  };
}

/** @param {readonly string[]} measurements @param {number} usual @param {number} quickly */
const helpOf = (measurements, usual, quickly) =>
  HELP.replace('MEASUREMENTS', measurements.join(', '))
    .replace('MESSAGES', String(usual))
    .replace('QUICKLY', String(quickly));
