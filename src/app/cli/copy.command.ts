import { Command } from 'commander';
import { readConfig } from '../config/read-config.js';
import { addSettings, flagValues } from './setting-options.js';

export function copyCommand(): Command {
  const command = new Command('copy')
    .description(
      'Copy a log, its keys and its files to other engines: every event with its id and revision, read back and compared. ' +
        'A copy that was cut short goes on when it is run again.',
    )
    .requiredOption('--from <place>', 'place of the log; no server may run on it')
    .requiredOption('--to <place>', 'an empty place, or one with an earlier part of the same copy')
    .addHelpText(
      'after',
      '\nA place is the path of a data folder, or the word distributed: the engines that EVENTSTORE_URL and MONGODB_URL name.' +
        '\nEvent queues end, because positions change. Documents are not copied: the next start builds them.',
    )
    .action(async ({ from, to }: { from: string; to: string }) => {
      const config = readConfig('copy', flagValues(command, 'copy'));
      const { runCopy } = await import('./run-copy.js');
      await runCopy(from, to, config);
    });
  return addSettings(command, 'copy');
}
