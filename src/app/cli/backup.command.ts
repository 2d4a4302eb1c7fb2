import { Command } from 'commander';
import { readConfig } from '../config/read-config.js';
import { operatorActOf } from './operator-act.js';
import { addSettings, flagValues } from './setting-options.js';
import type { Shell } from './shell.js';

export function backupCommand(shell: Shell): Command {
  const command = new Command('backup')
    .description(
      'Back up the log, the keys and the uploaded files, all as of one moment. A server may be running. Into a folder with an earlier backup, only what is new is written. The command is recorded in the log.',
    )
    .argument('<to>', 'an empty folder, or one with an earlier backup')
    .option('--keys-to <folder>', 'another folder for the keys: whoever has the log and the keys can read all messages')
    .option('--check', 'only read a backup, and name each part that is missing or changed')
    .action(async (to: string, { keysTo, check }: { keysTo?: string; check?: true }) => {
      const config = readConfig('backup', flagValues(command, 'backup'), shell.environment);
      const { runBackup, runCheck } = await import('./run-backup.js');
      const places = { to, keysTo: keysTo ?? to };
      if (check) return runCheck(places, shell.output);
      const { recordActIfPossible } = await import('./operate.js');
      const { noteBackupIfPossible } = await import('./operate.js');
      await runBackup(config, places, shell.output, {
        begun: () => recordActIfPossible(config, operatorActOf(command, shell.environment), shell.errors),
        ended: (made) => noteBackupIfPossible(config, made, shell.errors),
      });
    });
  return addSettings(command, 'backup');
}
