import { ACCESSES_STREAM } from '../../events/accesses/accesses.events.js';
import { MESSAGES_STREAM } from '../../events/messages/messages.events.js';
import { USERS_STREAM } from '../../events/users/users.events.js';
import type { EngineSettings, Engines } from '../../platform/engines/engines.js';
import { START } from '../../platform/kernel/position.js';
import { StartRefused } from '../../platform/kernel/start-refused.js';
import { isEventId } from '../../platform/log/encode-append.js';
import { type EventStore, isThere, type StoredEvent } from '../../platform/log/event-store.js';
import type { CheckpointFile } from '../../platform/transparency/checkpoint-file.js';
import { firstSealedIn } from '../cli/copy-keys.js';
import { endedKeysAfter, type KeysFound, keysOf } from '../verify/verify-keys.js';

type Read = Pick<Engines, 'eventStore' | 'contentKeys' | 'documentStore'>;

/** Newest events of each stream that are looked at. */
export const NEWEST_OF_STREAM = 200;
/** Streams whose events are sealed: under keys of their own, or of the month. */
export const SEALED_STREAMS = [MESSAGES_STREAM, ACCESSES_STREAM, USERS_STREAM];

/**
 * Refuses keys that do not say whose they are, and that open nothing in the log: an earlier version has stored them.
 * @throws StartRefused
 */
export async function refuseStrangeKeys(engines: Read, settings: EngineSettings): Promise<void> {
  const { eventStore, contentKeys } = engines;
  for (const stream of SEALED_STREAMS) {
    const events = await eventStore.readStream(stream, { direction: 'backwards', limit: NEWEST_OF_STREAM });
    const content = [...firstSealedIn(events)].map(
      ([keyId, { sealed, event }]) => [keyId, { sealed, event: () => event }] as const,
    );
    const { fault, missing } = await keysOf(new Map(content), contentKeys, true);
    const areNone = missing.length > 0 && missing.length === content.filter(([keyId]) => isEventId(keyId)).length;
    const why = fault ?? (areNone ? await notEnded(missing, events, eventStore) : null);
    if (why !== null)
      throw new StartRefused(
        `${namesIn(settings).keys} cannot have the keys of this log (${why}): ${await remedy(engines, settings)}`,
      );
  }
}

/** Names the first of the missing keys that no event ends; null: each was destroyed. @param events backwards */
async function notEnded(
  missing: KeysFound['missing'],
  events: readonly StoredEvent[],
  eventStore: Engines['eventStore'],
): Promise<string | null> {
  const ended = new Set(await endedKeysAfter(events.at(-1)?.position ?? START, eventStore));
  const [keyId, event] = missing.find(([id]) => !ended.has(id)) ?? [];
  return keyId === undefined ? null : `it has none of those of the newest events, and not the key of ${event}`;
}

/** Says that the keys belong to another log. @param log null: there is no organization in the log */
export async function foreignKeys(
  { ofKeys, log }: { readonly ofKeys: string; readonly log: string | null },
  engines: Read,
  settings: EngineSettings,
): Promise<string> {
  const names = namesIn(settings);
  if (log === null)
    return `${names.keys} has the keys of the log ${ofKeys}, and ${names.log} is empty: restore ${names.log} from its backup`;
  return `${names.keys} has the keys of another organization (the log ${ofKeys}) than ${names.log} (${log}): ${await remedy(engines, settings)}`;
}

/** Says which of the two is to be restored. The documents tell: they were made from the log that was here before. */
async function remedy({ eventStore, documentStore }: Read, settings: EngineSettings): Promise<string> {
  const { log, keys } = namesIn(settings);
  const [newest] = (await documentStore.checkpoints())
    .flatMap(({ event }) => event ?? [])
    .sort((one, other) => other.position - one.position);
  if (!newest) return `restore ${keys} from a backup of this organization, or ${log} if that is the other's`;
  return (await isThere(eventStore, newest))
    ? `restore ${keys} from its backup, the documents belong to ${log}`
    : `restore ${log} from its backup, the documents do not belong to it`;
}

/** The log and the keys as an operator knows them. */
export const namesIn = ({ distributed }: EngineSettings): { readonly log: string; readonly keys: string } =>
  distributed
    ? { log: 'the log of EVENTSTORE_URL', keys: 'the collection contentKeys of MONGODB_URL' }
    : { log: 'log.sqlite', keys: 'keys.sqlite' };

/** Refuses a log without events beside a file of checkpoints: the log that was signed is missing. @throws StartRefused */
export async function refuseEmptyLog(
  eventStore: EventStore,
  file: CheckpointFile,
  settings: EngineSettings,
): Promise<void> {
  if ((await eventStore.head()) > START || (await file.newest([])).length === 0) return;
  const { log } = namesIn(settings);
  throw new StartRefused(
    `${log} is empty, and ${file.path} has checkpoints of a log with events: restore ${log} from its backup. ` +
      'To begin a new organization instead, move that file away first (docs/operations.md)',
  );
}
