import { Command } from 'commander';
import { readConfig, unknownVariables } from '../config/read-config.js';
import { complain } from './failure.js';
import { addSettings, flagValues } from './setting-options.js';

export function apiCommand(): Command {
  const command = new Command('api')
    .description(
      'Answer clients, and leave the documents to "annals projections". Needs EventStoreDB and MongoDB. Each of several such processes can answer every client.',
    )
    .action(async () => {
      const config = readConfig('api', flagValues(command, 'api'));
      for (const name of unknownVariables()) complain(`${name} is no setting of Annals and changes nothing`);
      const { runServer } = await import('./run-server.js');
      await runServer(config, { keepsDocuments: false });
    });
  return addSettings(command, 'api');
}
