import type { Writable } from 'node:stream';
import { type BackupMade, rememberBackup } from '../backup/backup.documents.js';
import { type Config, engineSettingsOf } from '../config/config.js';
import { ask } from './control-client.js';
import { complain, failureOf } from './failure.js';
import { openOrganization } from './open-organization.js';
import { throughServer } from './taken-log.js';

/** Has the server remember a backup for monitoring, or does it without one. The backup is made, whether or not this succeeds. */
export async function noteBackupIfPossible(config: Config, made: BackupMade, errors: Writable): Promise<void> {
  const settings = engineSettingsOf(config);
  try {
    await throughServer(settings, {
      ask: async (server) => void (await ask(server, { request: 'backup', made })),
      here: async () => {
        const engines = await openOrganization(settings);
        await rememberBackup(engines.documentStore, made).finally(() => engines.close());
      },
      // Not worth waiting for a server that has only begun to start.
      longestMs: 0,
    });
  } catch (error) {
    complain(errors, `health does not know of this backup: ${failureOf(error).message}`);
  }
}
