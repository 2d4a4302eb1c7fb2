// @ts-check
import { parseArgs } from 'node:util';

/** @typedef {ReturnType<typeof readOptions>} Options */

const HELP = `npm run bench -- [options]

  --quick            a smoke run of less than a minute: its figures say little
  --messages <n>     messages in the log (1000000; with --quick 20000)
  --only <names>     measure only these, with commas between: MEASUREMENTS
  --keep <folder>    keep the data there, and use what a run before has left
  --cpu-prof <dir>   write V8 CPU profiles of the servers there
  --help
`;

/**
 * @param {readonly string[]} measurements their names
 * @throws Error for options that are none
 */
export function readOptions(measurements) {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      messages: { type: 'string' },
      only: { type: 'string' },
      keep: { type: 'string' },
      'cpu-prof': { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const messages = Number(values.messages ?? (values.quick ? 20_000 : 1_000_000));
  if (!Number.isSafeInteger(messages) || messages < 10_000) throw new Error('--messages: a number from 10000');
  const only = values.only?.split(',') ?? [...measurements];
  const unknown = only.filter((name) => !measurements.includes(name));
  if (unknown.length > 0) throw new Error(`--only knows ${measurements.join(', ')}; not ${unknown.join(', ')}`);
  return {
    quick: values.quick,
    messages,
    only,
    keep: values.keep ?? null,
    profileDirectory: values['cpu-prof'] ?? null,
    help: values.help ? HELP.replace('MEASUREMENTS', measurements.join(', ')) : null,
  };
}
