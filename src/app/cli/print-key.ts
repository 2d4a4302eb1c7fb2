import type { Writable } from 'node:stream';
import { TRANSPARENCY_STREAM } from '../../events/transparency/transparency.events.js';
import type { DocumentStore } from '../../platform/documents/document-store.js';
import type { EngineSettings } from '../../platform/engines/engines.js';
import { givenUpCheckpoints } from '../../platform/transparency/given-up.js';
import { existingSigner, type SigningSettings, signerSettings } from '../../platform/transparency/open-signer.js';
import { PublishedTree } from '../../platform/transparency/published-tree.js';
import { type HeadDocument, TREE_DATABASE } from '../../platform/transparency/tree.documents.js';
import { verifierOf } from '../verify/known-checkpoints.js';
import { complain } from './failure.js';
import { inOrganization } from './open-organization.js';
import type { Printing } from './shell.js';

/**
 * Prints the key that checks signed checkpoints, in the form of C2SP's signed notes: the one that has signed the log's own
 * newest checkpoint, whatever the settings say. @throws NotRight if the checkpoint is not signed with it
 */
export async function printKey(
  settings: EngineSettings,
  signing: SigningSettings,
  { output, errors }: Pick<Printing, 'errors'> & { readonly output: Writable },
): Promise<void> {
  await inOrganization({ ...settings, readOnly: true }, async (engines) => {
    const head = await headIn(engines.documentStore);
    const ofHead = head && String(verifierOf(head));
    const restored = (await givenUpCheckpoints(engines.eventStore, TRANSPARENCY_STREAM)).at(-1)?.name ?? null;
    const own = await existingSigner(engines.contentKeys, signerSettings(signing, { last: ofHead, restored }));
    const ofSettings = own && String(own.verifier);
    const key = ofHead ?? ofSettings;
    if (key === null) throw new Error('there is no signing key yet: the first start makes it');
    if (head?.note === null) complain(errors, 'the log is not signed at present: the printed key is to sign it next');
    else if (key !== ofSettings)
      complain(
        errors,
        `the log's newest checkpoint is signed with the printed key; these settings name ${ofSettings ?? 'a key that is not there'}`,
      );
    output.write(`${key}\n`);
  });
}

async function headIn(store: DocumentStore): Promise<HeadDocument | null> {
  // Opening the tree would create it.
  if (!(await store.databases()).includes(TREE_DATABASE)) return null;
  return PublishedTree.within(store, (tree) => tree.head());
}
