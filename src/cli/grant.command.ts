import { Argument, Command } from 'commander';
import { engineSettingsOf } from '../config/engine-settings.js';
import { readConfig } from '../config/read-config.js';
import { SPECIAL_PERMISSIONS, type SpecialPermission } from '../users/domain/users.settings.js';
import { addSettings, flagValues } from './setting-options.js';

export function grantCommand(): Command {
  const command = new Command('grant')
    .description('Give an account a permission that no role brings, or take it away. A server may run meanwhile.')
    .addArgument(new Argument('<permission>', 'what is given').choices(SPECIAL_PERMISSIONS))
    .argument('<user>', "the account's email address or its id")
    .option('--revoke', 'take it away')
    .action(async (permission: SpecialPermission, user: string, { revoke = false }: { revoke?: boolean }) => {
      const settings = engineSettingsOf(readConfig('grant', flagValues(command, 'grant')));
      const { runGrant } = await import('./run-grant.js');
      await runGrant(settings, { permission, user, isGranted: !revoke });
    });
  return addSettings(command, 'grant');
}
