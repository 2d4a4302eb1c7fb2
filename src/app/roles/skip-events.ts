import { Logger } from '@nestjs/common';
import { eventRegistry } from '../../events/event-registry.js';
import { type EventSkipped, TRANSPARENCY_STREAM } from '../../events/transparency/transparency.events.js';
import type { CommandRunner } from '../../platform/commands/command-runner.js';
import type { Engines } from '../../platform/engines/engines.js';
import { newEventId } from '../../platform/kernel/ids.js';
import { StartRefused } from '../../platform/kernel/start-refused.js';
import { EventCodec } from '../../platform/log/event-codec.js';
import { type EventStore, type StoredEvent, UnreadableEvent } from '../../platform/log/event-store.js';
import { skippedPlaces } from './skipped-events.js';

type Source = Pick<Engines, 'eventStore' | 'contentKeys'>;

/** The codec of this log, and the way to pass an event over that it cannot read. */
interface SkippingCodec {
  readonly codec: EventCodec;
  /**
   * Records that the event at a place (STREAM@REVISION) is passed over, and does so from now on. Does nothing if it is.
   * @throws StartRefused if there is no such event, or if it can be read
   */
  skip(place: string, runner: CommandRunner): Promise<void>;
}

/** @throws EventStoreUnavailable */
export async function openSkippingCodec({ eventStore, contentKeys }: Source): Promise<SkippingCodec> {
  const skipped = await skippedPlaces(eventStore);
  return {
    codec: new EventCodec(contentKeys, eventRegistry, skipped),
    async skip(place, runner) {
      if (skipped.has(place)) return;
      const unreadable = await unreadableAt(place, { eventStore, contentKeys });
      const { stream, revision, position, id, type } = unreadable.event;
      const { reason } = unreadable;
      const event: EventSkipped = { type: 'EventSkipped', data: { stream, revision, position, id, type, reason } };
      await runner.report(TRANSPARENCY_STREAM, event, { actorId: null, client: 'annals', correlationId: newEventId() });
      skipped.add(place);
      new Logger('Log').warn(`${unreadable.message}. It is passed over, on record (EventSkipped)`);
    },
  };
}

async function unreadableAt(place: string, { eventStore, contentKeys }: Source): Promise<UnreadableEvent> {
  const [stored] = await eventAt(place, eventStore);
  if (!stored) throw new StartRefused(`there is no event ${place}, which is to be passed over`);
  try {
    await new EventCodec(contentKeys, eventRegistry).decode([stored]);
  } catch (error) {
    if (error instanceof UnreadableEvent) return error;
    throw error;
  }
  throw new StartRefused(`${stored.type} ${stored.id} (${place}) can be read: it is not passed over`);
}

function eventAt(place: string, eventStore: Pick<EventStore, 'readStream'>): Promise<readonly StoredEvent[]> {
  const at = place.lastIndexOf('@');
  return eventStore.readStream(place.slice(0, at), { from: Number(place.slice(at + 1)), limit: 1 });
}
