import { TRANSPARENCY_STREAM } from '../../../events/transparency/transparency.events.js';
import { newEventId } from '../../../platform/kernel/ids.js';
import { nameIn } from '../../../platform/transparency/checkpoint-store.js';
import { lastVerifier } from '../../../platform/transparency/claims.js';
import { givenUpCheckpoints } from '../../../platform/transparency/given-up.js';
import type { NoteSigner } from '../../../platform/transparency/signed-note.js';
import type { FeatureFollowerParts } from '../../feature.js';
import { type AnnounceSigner, decideAnnounceSigner } from '../domain/announce-signer.js';
import { type LogSigner, logSigner } from '../domain/log-signer.state.js';

/**
 * Opens the key that signs checkpoints. If the last one was signed with another key or name, the log says so once, before
 * anything is signed with this one.
 * @throws StartRefused, ContentKeysUnavailable, EventStoreUnavailable
 */
export async function openLogSigner({
  eventStore,
  documentStore,
  runner,
  openSigner,
}: Pick<FeatureFollowerParts, 'eventStore' | 'documentStore' | 'runner' | 'openSigner'>): Promise<NoteSigner> {
  const stream = { stream: TRANSPARENCY_STREAM, decider: logSigner };
  const { announced } = await runner.stateOf(stream);
  const givenUp = await givenUpCheckpoints(eventStore, TRANSPARENCY_STREAM);
  const last = announced?.verifier ?? (await lastVerifier(documentStore, givenUp));
  const signer = await openSigner({ last, restored: givenUp.at(-1)?.name ?? null });
  const by = { actorId: null, client: 'annals', correlationId: newEventId() };
  const command: AnnounceSigner = {
    signer: logSignerOf(String(signer.verifier)),
    last: last === null ? null : logSignerOf(last),
  };
  await runner.decide({ ...stream, expects: 'any', decide: decideAnnounceSigner, command, by, context: undefined });
  return signer;
}

const logSignerOf = (verifier: string): LogSigner => ({ origin: nameIn(verifier), verifier });
