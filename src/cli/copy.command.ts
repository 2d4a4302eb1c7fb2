import { Command } from 'commander';
import { readConfig } from '../config/read-config.js';
import { addSettings, flagValues } from './setting-options.js';

export function copyCommand(): Command {
  const command = new Command('copy')
    .description(
      'Copy a log and its keys to other engines: every event with its id and revision, read back and compared. ' +
        'Cut short, it goes on where it was when it is run again.',
    )
    .requiredOption('--from <place>', 'where the log is; no server may run on it')
    .requiredOption('--to <place>', 'where it goes: an empty place, or one that an earlier copy of it has begun')
    .addHelpText(
      'after',
      '\nA place is the path of a data folder, or the word distributed: what EVENTSTORE_URL and MONGODB_URL name.' +
        '\nEvent queues end, because positions change; documents are not copied, the next start builds them.',
    )
    .action(async ({ from, to }: { from: string; to: string }) => {
      const config = readConfig('copy', flagValues(command, 'copy'));
      const { runCopy } = await import('./run-copy.js');
      await runCopy(from, to, config);
    });
  return addSettings(command, 'copy');
}
