import type { Writable } from 'node:stream';
import { Logger } from '@nestjs/common';
import type { EngineSettings } from '../../platform/engines/engine-settings.js';
import { DomainError } from '../../platform/kernel/deciding.js';
import { changePermissionInLog, type PermissionChange } from './change-permission.js';
import { ask, connectToServer } from './control-client.js';
import { openOrganization } from './open-organization.js';

/**
 * Changes a permission through the server that runs on the data directory. Without one, or with shared engines, appends
 * to the log itself.
 */
export async function runGrant(settings: EngineSettings, change: PermissionChange, output: Writable): Promise<void> {
  const server = settings.distributed ? null : await connectToServer(settings.dataDirectory);
  const hasChanged = server
    ? (await ask(server, { request: 'permission', change })) === true
    : await changeHere(settings, change);
  output.write(`${outcome(change, hasChanged)}\n`);
}

async function changeHere(settings: EngineSettings, change: PermissionChange): Promise<boolean> {
  // Failures come back as errors.
  Logger.overrideLogger(false);
  const engines = await openOrganization(settings);
  try {
    return await changePermissionInLog(engines, settings, change);
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
