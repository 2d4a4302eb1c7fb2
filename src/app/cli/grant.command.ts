import { Argument, Command } from 'commander';
import { SPECIAL_PERMISSIONS } from '../../events/users/users.settings.js';
import { chosen, type Json, jsonLines, operating } from './operator-command.js';
import type { Shell } from './shell.js';

export const grantCommand = (shell: Shell): Command =>
  operating<{ readonly revoke?: true } & Json>(
    new Command('grant')
      .description('Give an account a permission that no role has, or take it away. A server may be running.')
      .addArgument(new Argument('<permission>', 'the permission').choices(SPECIAL_PERMISSIONS))
      .argument('<user>', "the account's email address or its id")
      .option('--revoke', 'take the permission away'),
    { group: 'grant', shell },
    async ({ revoke = false, json }, { operate }, [name, user = '']) => {
      const permission = chosen(SPECIAL_PERMISSIONS, name);
      const outcome = await operate('grant', { permission, user, isGranted: !revoke });
      if (json) return jsonLines([outcome]);
      if (revoke)
        return outcome.changed ? `${user} no longer has ${permission}.\n` : `${user} did not have ${permission}.\n`;
      return outcome.changed ? `${user} has ${permission} now.\n` : `${user} had ${permission} already.\n`;
    },
  );
