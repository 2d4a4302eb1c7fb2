import { Command } from 'commander';
import { siteUrl } from '../config/config.js';
import { engineSettingsOf } from '../config/engine-settings-of.js';
import { readConfig } from '../config/read-config.js';
import { addSettings, flagValues } from './setting-options.js';

export function keyCommand(): Command {
  const command = new Command('key')
    .description(
      "Print the verifier key: others check signed checkpoints of the log with it. Give the server's own settings of its public URL.",
    )
    .action(async () => {
      const config = readConfig('key', flagValues(command, 'key'));
      const { printKey } = await import('./print-key.js');
      await printKey(engineSettingsOf(config), { site: siteUrl(config, config.port), keyFile: config.signingKeyFile });
    });
  return addSettings(command, 'key');
}
