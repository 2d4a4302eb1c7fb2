import { parseArgs } from 'node:util';

export type Options = ReturnType<typeof readOptions>;

const HELP = `npm run bench -- [options]

  --gate             sends beside the last release, in three minutes; fails below 0.95 of them
  --against <commit> with --gate: beside this commit
  --routes           with --gate: other routes in place of sends, one request at a time, in four minutes
  --engines          many processes on EventStoreDB and MongoDB: see below
  --quick            a smoke run of less than a minute; its figures say little
  --messages <n>     messages in the log (MESSAGES; with --quick QUICKLY)
  --only <names>     measure only these, with commas between: MEASUREMENTS
  --keep <folder>    keep the data there, and use the data of an earlier run
  --cpu-prof <dir>   write V8 CPU profiles of the servers there
  --help

--engines measures on the servers that EVENTSTORE_URL and MONGODB_URL name, in a database and under names of its own.
Without EVENTSTORE_URL it starts the tests' stand-in for EventStoreDB.
`;

/**
 * Reads the options of the command line.
 *
 * @param measurements the measurements' names
 * @param defaults numbers of messages in the log
 * @throws Error for unknown or senseless options
 */
export function readOptions(
  measurements: readonly string[],
  { messages: usual, quickly, least }: { messages: number; quickly: number; least: number },
) {
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

const helpOf = (measurements: readonly string[], usual: number, quickly: number) =>
  HELP.replace('MEASUREMENTS', measurements.join(', '))
    .replace('MESSAGES', String(usual))
    .replace('QUICKLY', String(quickly));
