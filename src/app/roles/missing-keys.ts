import { Logger } from '@nestjs/common';
import { streamOfEnd } from '../../events/stream-of-end.js';
import { type MissingKeysAccepted, TRANSPARENCY_STREAM } from '../../events/transparency/transparency.events.js';
import type { CommandRunner } from '../../platform/commands/command-runner.js';
import type { EngineSettings, Engines } from '../../platform/engines/engines.js';
import { newEventId } from '../../platform/kernel/ids.js';
import { START } from '../../platform/kernel/position.js';
import { StartRefused } from '../../platform/kernel/start-refused.js';
import type { EventCodec } from '../../platform/log/event-codec.js';
import type { EventStore, StoredEvent } from '../../platform/log/event-store.js';
import { KeyEnds, mustBeThere } from '../../platform/log/key-ends.js';
import { firstSealedIn } from '../cli/copy-keys.js';
import { newestEvents } from '../cli/log-cursor.js';
import { acceptedKeys } from '../verify/accepted-keys.js';
import { nameOf } from '../verify/verify-keys.js';
import { NEWEST_OF_STREAM, namesIn, SEALED_STREAMS } from './foreign-keys.js';

/** Newest events of all streams that are looked at, if the engine finds them without reading the whole log. */
const NEWEST_OF_ALL = 500;

/**
 * Looks for the keys of the newest content. Keys that are older than the log, and keys that are missing without a
 * deletion, are refused, unless the operator gives them up: then the log records that, and the start looks no more at the
 * events before.
 * @throws StartRefused; UnreadableEvent for one of these events; EventStoreUnavailable, ContentKeysUnavailable
 */
export async function checkNewestKeys(
  { eventStore, contentKeys }: Pick<Engines, 'eventStore' | 'contentKeys'>,
  runner: CommandRunner,
  {
    accepted,
    settings,
    codec,
  }: { readonly accepted: string | null; readonly settings: EngineSettings; readonly codec: EventCodec },
): Promise<void> {
  const givenUpTo = (await acceptedKeys(eventStore))?.position ?? START;
  const events = codec.sound(await newestOf(eventStore)).filter(({ position }) => position > givenUpTo);
  const needed = [...firstSealedIn(events)].filter(([keyId]) => mustBeThere(keyId));
  const absent = new Set(await contentKeys.missing(needed.map(([keyId]) => keyId)));
  const ends = new KeyEnds(eventStore, codec, streamOfEnd);
  const withoutKey = needed.filter(([keyId]) => absent.has(keyId)).map(([keyId, { event }]) => [keyId, event] as const);
  const lost = [...(await ends.withoutEnd(new Map(withoutKey), events)).values()];
  const [newest] = lost.toSorted((one, other) => other.position - one.position);
  if (!newest) return;
  const [keys, of] = [lost.length, needed.length - absent.size + lost.length];
  if (accepted !== newest.id) {
    const store = namesIn(settings).keys;
    throw new StartRefused(
      `${store} lacks ${keys} of the ${of} newest keys, the newest is that of ${nameOf(newest)}, and no event tells that they were destroyed: ${store} is older than the log, or was changed. ` +
        `Restore the newest one. To go on without the content of the missing keys, start with --accept-missing-keys ${newest.id} (docs/operations.md)`,
    );
  }
  const event: MissingKeysAccepted = { type: 'MissingKeysAccepted', data: { keys, of, newestEvent: newest.id } };
  const id = newEventId();
  await runner.report(
    TRANSPARENCY_STREAM,
    event,
    { actorId: null, client: 'annals', correlationId: newEventId() },
    { id },
  );
  runner.monthKeys.givenUpWith(id);
  new Logger('Start').warn(
    `${keys} of the ${of} newest keys are missing; this is accepted and recorded (MissingKeysAccepted)`,
  );
}

/** Reads the events that are looked at, in log order. */
async function newestOf(eventStore: EventStore): Promise<readonly StoredEvent[]> {
  const found = new Map<string, StoredEvent>();
  for (const stream of SEALED_STREAMS)
    for (const event of await eventStore.readStream(stream, { direction: 'backwards', limit: NEWEST_OF_STREAM }))
      found.set(event.id, event);
  if (eventStore.readAt)
    for (const event of await newestEvents(eventStore, NEWEST_OF_ALL, { filter: {}, isWanted: () => true }))
      found.set(event.id, event);
  return [...found.values()].toSorted((one, other) => one.position - other.position);
}
