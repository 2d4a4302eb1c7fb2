import { Command } from 'commander';
import { readConfig } from '../config/read-config.js';
import { addSettings, flagValues } from './setting-options.js';
import type { Shell } from './shell.js';

export function restoreCommand(shell: Shell): Command {
  const command = new Command('restore')
    .description(
      'Put a backup into a data directory without a log. All of it is compared with what was backed up. The log says that it was restored, and event queues end: clients register new ones by themselves.',
    )
    .argument('<from>', 'the folder of the backup')
    .option('--keys-from <folder>', 'the folder of its keys, if they are in another one')
    .action(async (from: string, { keysFrom }: { keysFrom?: string }) => {
      const config = readConfig('restore', flagValues(command, 'restore'), shell.environment);
      const { runRestore } = await import('./run-backup.js');
      await runRestore(config, { from, keysFrom: keysFrom ?? from }, shell.output);
    });
  return addSettings(command, 'restore');
}
