import { Command } from 'commander';
import { siteUrl } from '../config/config.js';
import { engineSettingsOf } from '../config/engine-settings-of.js';
import { readConfig } from '../config/read-config.js';
import { addSettings, flagValues } from './setting-options.js';
import type { Shell } from './shell.js';

export function keyCommand(shell: Shell): Command {
  const command = new Command('key')
    .description(
      "Print the verifier key: others check signed checkpoints of the log with it. Give the server's own settings of its public URL.",
    )
    .action(async () => {
      const config = readConfig('key', flagValues(command, 'key'), shell.environment);
      const { printKey } = await import('./print-key.js');
      const signing = { site: siteUrl(config, config.port), keyFile: config.signingKeyFile };
      await printKey(engineSettingsOf(config), signing, shell.output);
    });
  return addSettings(command, 'key');
}
