import { Argument, Command } from 'commander';
import { SPECIAL_PERMISSIONS, type SpecialPermission } from '../../events/users/users.settings.js';
import { readConfig } from '../config/read-config.js';
import { operatorActOf } from './operator-act.js';
import { addSettings, flagValues } from './setting-options.js';
import type { Shell } from './shell.js';

export function grantCommand(shell: Shell): Command {
  const command = new Command('grant')
    .description('Give an account a permission that no role has, or take it away. A server may be running.')
    .addArgument(new Argument('<permission>', 'the permission').choices(SPECIAL_PERMISSIONS))
    .argument('<user>', "the account's email address or its id")
    .option('--revoke', 'take the permission away')
    .action(async (permission: SpecialPermission, user: string, { revoke = false }: { revoke?: boolean }) => {
      const config = readConfig('grant', flagValues(command, 'grant'), shell.environment);
      const act = operatorActOf(command, shell.environment);
      const { recordAct } = await import('./record-act.js');
      const { runGrant } = await import('./run-grant.js');
      await recordAct(config, act);
      const change = { permission, user, isGranted: !revoke, requestId: act.requestId };
      await runGrant(config, change, shell.output);
    });
  return addSettings(command, 'grant');
}
