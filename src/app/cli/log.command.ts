import { Command, Option } from 'commander';
import { eventRegistry } from '../../events/event-registry.js';
import { engineSettingsOf } from '../config/config.js';
import { readConfig } from '../config/read-config.js';
import { complain } from './failure.js';
import { operatorActOf } from './operator-act.js';
import type { LogOptions } from './print-log.js';
import { addSettings, flagValues } from './setting-options.js';
import type { Shell } from './shell.js';
import { count, eventType, since, until } from './typed-values.js';

/** Events that fill a terminal, about. */
const SCREEN = 20;
/** Options that say how much is printed. */
const BOUNDS = ['limit', 'last', 'message', 'since', 'until', 'follow'] as const;

export function logCommand(shell: Shell): Command {
  const command = new Command('log')
    .description(
      `Print the events of the log, oldest first. On a terminal, these are the newest ${SCREEN} unless an option says how many, which times, or which message. The command only reads, and is recorded in the log. A server may be running.`,
    )
    .option('--stream <prefix>', 'only streams whose names begin with this, such as messages or user-')
    .addOption(
      new Option('--message <id>', 'only events of this message: sent, edited, moved, reactions, deleted')
        .argParser(count)
        .conflicts(['stream', 'follow']),
    )
    .option('--type <type>', 'only events of this type; may be given several times', eventType)
    .option('--actor <who>', 'only events that this account caused: its id, or an email address that it has or had')
    .option(
      '--since <time>',
      'only events from this time on: ISO 8601, in UTC if it has no zone, or seconds since 1970',
      since,
    )
    .option('--until <time>', 'only events up to the end of this time, which may be a whole day', until)
    .option('--limit <number>', 'stop after this many events', count)
    .addOption(
      new Option('--last <number>', 'only so many of the newest events, in log order')
        .argParser(count)
        .conflicts(['limit', 'follow']),
    )
    .option('--follow', 'wait for further events until interrupted')
    .option('--json', 'one JSON object a line, for scripts')
    .option('--words', 'show content; without this, content is printed as (sealed)')
    .addHelpText('after', `\nEvent types: ${[...eventRegistry.keys()].join(', ')}`)
    .action(async (options: LogOptions) => {
      const config = readConfig('log', flagValues(command, 'log'), shell.environment);
      const { recordActIfPossible } = await import('./operate.js');
      await recordActIfPossible(config, operatorActOf(command, shell.environment), shell.errors);
      const { printLog } = await import('./print-log.js');
      const isScreen = shell.output.isTTY && BOUNDS.every((bound) => options[bound] === undefined);
      if (isScreen)
        complain(shell.errors, `the newest ${SCREEN} events; --last <number> prints more, --limit <number> the oldest`);
      await printLog(engineSettingsOf(config), isScreen ? { ...options, last: SCREEN } : options, shell.output);
    });
  return addSettings(command, 'log');
}
