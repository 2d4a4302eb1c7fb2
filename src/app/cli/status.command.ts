import { Command } from 'commander';
import { engineSettingsOf } from '../config/config.js';
import { readConfig } from '../config/read-config.js';
import { addSettings, flagValues } from './setting-options.js';
import type { Shell } from './shell.js';

export function statusCommand(shell: Shell): Command {
  const command = new Command('status')
    .description(
      'Tell how the running server does: whether it is ready, how far documents are, what failed. Ends with 0 if it is ready.',
    )
    .option('--json', 'as JSON, one report a line')
    .option('--watch', 'again every 2 s, until it is stopped')
    .action(async (options: { readonly json?: boolean; readonly watch?: boolean }) => {
      const config = readConfig('status', flagValues(command, 'status'), shell.environment);
      const { runStatus } = await import('./run-status.js');
      await runStatus(engineSettingsOf(config), options, shell.output);
    });
  return addSettings(command, 'status');
}
