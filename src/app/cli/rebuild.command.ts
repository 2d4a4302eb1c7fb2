import { Command } from 'commander';
import { projections } from '../../../projections/index.js';
import { engineSettingsOf } from '../config/config.js';
import { readConfig } from '../config/read-config.js';
import { UsageError } from './failure.js';
import { operatorActOf } from './operator-act.js';
import { addSettings, flagValues } from './setting-options.js';
import type { Shell } from './shell.js';

export function rebuildCommand(shell: Shell): Command {
  const command = new Command('rebuild')
    .description(
      'Build the documents anew from the log. A running server does this itself and keeps serving; without one, this command does it.',
    )
    .option('--projection <name>', 'only this one; may be given several times', collect)
    .option('--wait', 'go on waiting when the build fails again and again at one place, instead of ending with 1')
    .addHelpText('after', `\nProjections: ${projections.map(({ name }) => name).join(', ')}`)
    .action(async ({ projection, wait = false }: { projection?: string[]; wait?: boolean }) => {
      checkNames(projection ?? []);
      const config = readConfig('rebuild', flagValues(command, 'rebuild'), shell.environment);
      const { recordActIfPossible } = await import('./operate.js');
      await recordActIfPossible(config, operatorActOf(command, shell.environment), shell.errors);
      const { runRebuild } = await import('./run-rebuild.js');
      await runRebuild(
        engineSettingsOf(config),
        { names: projection ?? null, skip: config.skip ?? [], waits: wait },
        shell.output,
      );
    });
  return addSettings(command, 'rebuild');
}

const collect = (name: string, names: string[] = []): string[] => [...names, name];

function checkNames(names: readonly string[]): void {
  const known = projections.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new UsageError(`there is no projection ${unknown.join(', ')}: there are ${known.join(', ')}`);
  }
}
