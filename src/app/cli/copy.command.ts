import { Command } from 'commander';
import { readConfig } from '../config/read-config.js';
import { addSettings, flagValues } from './setting-options.js';
import type { Shell } from './shell.js';

export function copyCommand(shell: Shell): Command {
  const command = new Command('copy')
    .description(
      'Copy a log, its keys and its files to other engines. Events keep their ids and revisions. The copy is read back and ' +
        'compared. If it was cut short, run the same command again to go on.',
    )
    .requiredOption('--from <place>', 'place of the log; no server may be running on it')
    .requiredOption('--to <place>', 'an empty place, or one with the beginning of the same copy')
    .addHelpText(
      'after',
      '\nA place is the path of a data folder, or "distributed" for the engines that EVENTSTORE_URL and MONGODB_URL name.' +
        '\nEvent queues end, because positions change. Documents are not copied: the next start builds them.',
    )
    .action(async ({ from, to }: { from: string; to: string }) => {
      const config = readConfig('copy', flagValues(command, 'copy'), shell.environment);
      const { runCopy } = await import('./run-copy.js');
      await runCopy({ from, to }, config, shell.output);
    });
  return addSettings(command, 'copy');
}
