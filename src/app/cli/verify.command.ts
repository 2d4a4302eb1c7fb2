import { Command } from 'commander';
import { checkpointSettingsOf, engineSettingsOf } from '../config/config.js';
import { temporaryFolder } from '../config/environment.js';
import { readConfig } from '../config/read-config.js';
import { addSettings, flagValues } from './setting-options.js';
import type { Shell } from './shell.js';
import type { VerifyOptions } from './verify.js';

export function verifyCommand(shell: Shell): Command {
  const command = new Command('verify')
    .description(
      'Compare every event of the log with its tree, with earlier checkpoints and with the keys, and name the first difference. The command only reads. A server may be running.',
    )
    .option(
      '--checkpoint <file>',
      'a signed checkpoint that was kept, or several in one file; may be given several times',
      (file: string, files: string[] = []) => [...files, file],
    )
    .option('--state <file>', 'file that keeps how far it is: the same command goes on there after an interruption')
    .option(
      '--open',
      'also open something with each key, which finds keys that were changed, and shows nothing: that takes about half as long again',
    )
    .option(
      '--files',
      'also compare size and SHA-256 of every uploaded file and picture with the log, and name all that are missing, changed or extra: that reads all bytes of the files',
    )
    .option(
      '--documents',
      'also compare all documents with a rebuild from the log, which is made in a temporary folder: that takes as long as annals rebuild, and as much space as the documents',
    )
    .action(async (options: Omit<VerifyOptions, 'notedIn' | 'temporary'>) => {
      const config = readConfig('verify', flagValues(command, 'verify'), shell.environment);
      const { runVerify } = await import('./verify.js');
      const places = { notedIn: checkpointSettingsOf(config).file, temporary: temporaryFolder(shell.environment) };
      await runVerify(engineSettingsOf(config), { ...options, ...places }, shell.output);
    });
  return addSettings(command, 'verify');
}
