import type { Command } from 'commander';
import { projections } from '../../../projections/index.js';
import { type Config, engineSettingsOf } from '../config/config.js';
import { unknownVariables } from '../config/read-config.js';
import { complain, UsageError } from './failure.js';
import { operatorActOf } from './operator-act.js';
import { withSettings } from './setting-options.js';
import type { Shell } from './shell.js';

/** Makes the commands that run a server, ask it, or do its work. */
export const serverCommands = (shell: Shell): readonly Command[] => [
  serving(shell, 'start', {
    about: 'Run the whole server in one process. Settings are flags or environment variables; a flag wins.',
    run: async (config) => {
      // Loaded here, so that other commands need not wait for the server's code.
      const { runServer } = await import('./run-server.js');
      await runServer(config, shell);
    },
  }),
  serving(shell, 'api', {
    about:
      'Answer clients, and leave the documents to "annals projections". Needs EventStoreDB and MongoDB. Each of several such processes can answer every client.',
    run: async (config) => {
      const { runServer } = await import('./run-server.js');
      await runServer(config, shell, { keepsDocuments: false });
    },
  }),
  serving(shell, 'projections', {
    about:
      'Keep the documents that "annals api" reads. Needs EventStoreDB and MongoDB. Several such processes share the work and take over from one that dies. They answer only health checks.',
    run: async (config) => {
      const { runWorker } = await import('./run-worker.js');
      await runWorker(config, shell);
    },
  }),
  withSettings(shell, 'status', (command, settings) =>
    command
      .description(
        'Tell how the running server does: whether it is ready, how far documents are, what failed. Ends with 0 if it is ready.',
      )
      .option('--json', 'as JSON, one report a line')
      .option('--watch', 'again every 2 s, until it is stopped')
      .action(async (options: { readonly json?: boolean; readonly watch?: boolean }) => {
        const config = settings();
        const { runStatus } = await import('./run-status.js');
        await runStatus(engineSettingsOf(config), options, shell.output);
      }),
  ),
  withSettings(shell, 'rebuild', (command, settings) =>
    command
      .description(
        'Build the documents anew from the log. A running server does this itself and keeps serving; without one, this command does it.',
      )
      .option('--projection <name>', 'only this one; may be given several times', collect)
      .option('--wait', 'go on waiting when the build fails again and again at one place, instead of ending with 1')
      .addHelpText('after', `\nProjections: ${projections.map(({ name }) => name).join(', ')}`)
      .action(async ({ projection, wait = false }: { projection?: string[]; wait?: boolean }) => {
        checkNames(projection ?? []);
        const config = settings();
        const { recordActIfPossible } = await import('./operate.js');
        await recordActIfPossible(config, operatorActOf(command, shell.environment), shell.errors);
        const { runRebuild } = await import('./run-rebuild.js');
        await runRebuild(
          engineSettingsOf(config),
          { names: projection ?? null, skip: config.skip ?? [], waits: wait },
          shell.output,
        );
      }),
  ),
];

/** Makes a command whose process runs until it is stopped. */
const serving = (
  shell: Shell,
  name: 'start' | 'api' | 'projections',
  { about, run }: { readonly about: string; readonly run: (config: Config) => Promise<void> },
): Command =>
  withSettings(shell, name, (command, settings) =>
    command.description(about).action(async () => {
      const config = settings();
      for (const unknown of unknownVariables(shell.environment))
        complain(shell.errors, `${unknown} is no setting of Annals and changes nothing`);
      await run(config);
    }),
  );

const collect = (name: string, names: string[] = []): string[] => [...names, name];

function checkNames(names: readonly string[]): void {
  const known = projections.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new UsageError(`there is no projection ${unknown.join(', ')}: there are ${known.join(', ')}`);
  }
}
