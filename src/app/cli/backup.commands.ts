import type { Command } from 'commander';
import { operatorActOf } from './operator-act.js';
import { withSettings } from './setting-options.js';
import type { Shell } from './shell.js';

/** Makes the commands that carry a log elsewhere, with its keys and files. */
export const backupCommands = (shell: Shell): readonly Command[] => [
  withSettings(shell, 'backup', (command, settings) =>
    command
      .description(
        'Back up the log, the keys and the uploaded files, all as of one moment. A server may be running. Into a folder with an earlier backup, only what is new is written. The command is recorded in the log.',
      )
      .argument('<to>', 'an empty folder, or one with an earlier backup')
      .option(
        '--keys-to <folder>',
        'another folder for the keys: whoever has the log and the keys can read all messages',
      )
      .option('--check', 'only read a backup, and name each part that is missing or changed')
      .action(async (to: string, { keysTo, check }: { keysTo?: string; check?: true }) => {
        const config = settings();
        const { runBackup, runCheck } = await import('./run-backup.js');
        const places = { to, keysTo: keysTo ?? to };
        if (check) return runCheck(places, shell.output);
        const { noteBackupIfPossible, recordActIfPossible } = await import('./operate.js');
        await runBackup(config, places, shell.output, {
          begun: () => recordActIfPossible(config, operatorActOf(command, shell.environment), shell.errors),
          ended: (made) => noteBackupIfPossible(config, made, shell.errors),
        });
      }),
  ),
  withSettings(shell, 'restore', (command, settings) =>
    command
      .description(
        'Put a backup into a data directory without a log. All of it is compared with what was backed up. The log says that it was restored, and event queues end: clients register new ones by themselves.',
      )
      .argument('<from>', 'the folder of the backup')
      .option('--keys-from <folder>', 'the folder of its keys, if they are in another one')
      .action(async (from: string, { keysFrom }: { keysFrom?: string }) => {
        const config = settings();
        const { runRestore } = await import('./run-backup.js');
        await runRestore(config, { from, keysFrom: keysFrom ?? from }, shell.output);
      }),
  ),
  withSettings(shell, 'copy', (command, settings) =>
    command
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
        const config = settings();
        const { runCopy } = await import('./run-copy.js');
        await runCopy({ from, to }, config, shell.output);
      }),
  ),
];
