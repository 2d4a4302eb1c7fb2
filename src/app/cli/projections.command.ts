import { Command } from 'commander';
import { readConfig, unknownVariables } from '../config/read-config.js';
import { complain } from './failure.js';
import { addSettings, flagValues } from './setting-options.js';
import type { Shell } from './shell.js';

export function projectionsCommand(shell: Shell): Command {
  const command = new Command('projections')
    .description(
      'Keep the documents that "annals api" reads. Needs EventStoreDB and MongoDB. Several such processes share the work and take over from one that dies. They answer only health checks.',
    )
    .action(async () => {
      const config = readConfig('projections', flagValues(command, 'projections'), shell.environment);
      for (const name of unknownVariables(shell.environment))
        complain(shell.errors, `${name} is no setting of Annals and changes nothing`);
      const { runWorker } = await import('./run-worker.js');
      await runWorker(config, shell);
    });
  return addSettings(command, 'projections');
}
