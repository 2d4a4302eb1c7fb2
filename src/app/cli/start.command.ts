import { Command } from 'commander';
import { readConfig, unknownVariables } from '../config/read-config.js';
import { complain } from './failure.js';
import { addSettings, flagValues } from './setting-options.js';
import type { Shell } from './shell.js';

export function startCommand(shell: Shell): Command {
  const command = new Command('start')
    .description('Run the whole server in one process. Settings are flags or environment variables; a flag wins.')
    .action(async () => {
      const config = readConfig('start', flagValues(command, 'start'), shell.environment);
      for (const name of unknownVariables(shell.environment))
        complain(shell.errors, `${name} is no setting of Annals and changes nothing`);
      // Loaded here, so that other commands need not wait for the server's code.
      const { runServer } = await import('./run-server.js');
      await runServer(config, shell);
    });
  return addSettings(command, 'start');
}
