import { Command } from 'commander';
import { readConfig, unknownVariables } from '../config/read-config.js';
import { complain } from './failure.js';
import { addSettings, flagValues } from './setting-options.js';
import type { Shell } from './shell.js';

export function apiCommand(shell: Shell): Command {
  const command = new Command('api')
    .description(
      'Answer clients, and leave the documents to "annals projections". Needs EventStoreDB and MongoDB. Each of several such processes can answer every client.',
    )
    .action(async () => {
      const config = readConfig('api', flagValues(command, 'api'), shell.environment);
      for (const name of unknownVariables(shell.environment))
        complain(shell.errors, `${name} is no setting of Annals and changes nothing`);
      const { runServer } = await import('./run-server.js');
      await runServer(config, shell, { keepsDocuments: false });
    });
  return addSettings(command, 'api');
}
