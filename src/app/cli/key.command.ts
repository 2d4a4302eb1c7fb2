import { Command } from 'commander';
import { engineSettingsOf, signingSettingsOf, siteUrl } from '../config/config.js';
import { readConfig } from '../config/read-config.js';
import { addSettings, flagValues } from './setting-options.js';
import type { Shell } from './shell.js';

export function keyCommand(shell: Shell): Command {
  const command = new Command('key')
    .description(
      "Print the verifier key: others check signed checkpoints of the log with it. It is the key and the name of the log's newest checkpoint. The command says so if its settings name others.",
    )
    .action(async () => {
      const config = readConfig('key', flagValues(command, 'key'), shell.environment);
      const { printKey } = await import('./print-key.js');
      await printKey(engineSettingsOf(config), signingSettingsOf(config, siteUrl(config, config.port)), shell);
    });
  return addSettings(command, 'key');
}
