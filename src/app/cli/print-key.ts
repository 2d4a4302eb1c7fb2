import type { Writable } from 'node:stream';
import type { EngineSettings } from '../../platform/engines/engine-settings.js';
import { existingSigner, type SignerSettings } from '../../platform/transparency/open-signer.js';
import { restoredName } from '../roles/signed-log.js';
import { openOrganization } from './open-organization.js';

/** Prints the key that checks signed checkpoints, in the form of C2SP's signed notes. */
export async function printKey(
  settings: EngineSettings,
  signing: Omit<SignerSettings, 'restored'>,
  output: Writable,
): Promise<void> {
  const engines = await openOrganization({ ...settings, readOnly: true });
  try {
    const signer = await existingSigner(engines.contentKeys, {
      ...signing,
      restored: await restoredName(engines.eventStore),
    });
    if (signer === null) throw new Error('there is no signing key yet: the first start makes it');
    output.write(`${signer.verifier}\n`);
  } finally {
    await engines.close();
  }
}
