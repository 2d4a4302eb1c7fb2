import { Command, Option } from 'commander';
import { engineSettingsOf } from '../config/config.js';
import { readConfig } from '../config/read-config.js';
import { operatorActOf } from './operator-act.js';
import type { ProveOptions } from './prove.js';
import { addSettings, flagValues } from './setting-options.js';
import type { Shell } from './shell.js';
import { count } from './typed-values.js';

export function proveCommand(shell: Shell): Command {
  const command = new Command('prove')
    .description(
      'Write proofs that the log has events, for verify.mjs: of one event, of all events of a message, or the whole log. The command only reads, and is recorded in the log. A server may be running.',
    )
    .option('--event <id>', 'the event with this id')
    .addOption(new Option('--message <id>', 'all events of this message').argParser(count).conflicts('event'))
    .addOption(new Option('--all', 'the whole log, with hashes of passwords and keys').conflicts(['event', 'message']))
    .addOption(
      new Option(
        '--words',
        'with the keys that open what people wrote in these events; the command must be recorded, or shows nothing',
      ).conflicts('all'),
    )
    .option('--output <file>', 'file to write, instead of standard output')
    .action(async (options: ProveOptions) => {
      const config = readConfig('prove', flagValues(command, 'prove'), shell.environment);
      const { checkProveOptions, runProve } = await import('./prove.js');
      checkProveOptions(options);
      const { recordActIfPossible, recordReading } = await import('./operate.js');
      const act = operatorActOf(command, shell.environment);
      if (options.words) await recordReading(config, act);
      else await recordActIfPossible(config, act, shell.errors);
      await runProve(engineSettingsOf(config), options, shell.output);
    });
  return addSettings(command, 'prove');
}
