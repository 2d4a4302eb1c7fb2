import type { Writable } from 'node:stream';
import { Logger } from '@nestjs/common';
import { DomainError } from '../../platform/kernel/deciding.js';
import type { Config } from '../config/config.js';
import { engineSettingsOf } from '../config/engine-settings-of.js';
import { changePermissionInLog, type PermissionChange } from './change-permission.js';
import { ask } from './control-client.js';
import { openOrganization } from './open-organization.js';
import { throughServer } from './taken-log.js';
import { withTree } from './with-tree.js';

/**
 * Changes a permission through the server that runs on the data directory. Without one, or with shared engines, appends
 * to the log itself.
 */
export async function runGrant(config: Config, change: PermissionChange, output: Writable): Promise<void> {
  const hasChanged = await throughServer(engineSettingsOf(config), {
    ask: async (server) => (await ask(server, { request: 'permission', change })) === true,
    here: () => changeHere(config, change),
  });
  output.write(`${outcome(change, hasChanged)}\n`);
}

async function changeHere(config: Config, change: PermissionChange): Promise<boolean> {
  const settings = engineSettingsOf(config);
  // Failures come back as errors.
  Logger.overrideLogger(false);
  const engines = await openOrganization(settings);
  try {
    return await withTree(engines, config, () => changePermissionInLog(engines, settings, change));
  } catch (error) {
    throw error instanceof DomainError ? new Error(noSuchUser(change)) : error;
  } finally {
    await engines.close();
  }
}

export const noSuchUser = ({ user }: PermissionChange): string => `there is no active account ${user}`;

function outcome({ permission, user, isGranted }: PermissionChange, hasChanged: boolean): string {
  if (isGranted) return hasChanged ? `${user} has ${permission} now.` : `${user} had ${permission} already.`;
  return hasChanged ? `${user} no longer has ${permission}.` : `${user} did not have ${permission}.`;
}
