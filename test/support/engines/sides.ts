import { randomUUID } from 'node:crypto';
import type { CopySide } from '../../../src/app/cli/copy-log.js';
import { newContentKey, seal } from '../../../src/platform/content-keys/seal.js';
import type { Engines } from '../../../src/platform/engines/engines.js';
import { openEngines } from '../../../src/platform/engines/open-engines.js';
import { START } from '../../../src/platform/kernel/position.js';
import type { NewEvent, StoredEvent } from '../../../src/platform/log/event-store.js';
import { temporaryDirectory } from './event-store-directory.js';
import { newEvent } from './event-store-events.js';

/** A log with its keys and files, in its own folder. */
export interface Side extends CopySide {
  readonly directory: string;
  readonly eventStore: Engines['eventStore'];
  close(): Promise<void>;
  remove(): Promise<void>;
}

export async function newSide(): Promise<Side> {
  const { path, remove } = temporaryDirectory();
  const { eventStore, contentKeys, fileStore, close } = await openEngines({ dataDirectory: path });
  return {
    directory: path,
    eventStore,
    contentKeys,
    fileStore,
    close,
    async remove() {
      await close();
      remove();
    },
  };
}

export const eventsIn = async ({ eventStore }: Pick<Side, 'eventStore'>): Promise<readonly StoredEvent[]> =>
  (await eventStore.readAll({ after: START, limit: 1_000_000 })).events;

/** Events without their positions, which a copy need not keep. */
export const withoutPositions = (events: readonly StoredEvent[]): Omit<StoredEvent, 'position'>[] =>
  events.map(({ position: _, ...event }) => event);

/** Makes an event with content, and stores its key. */
export async function sealedEvent(side: CopySide, type = 'MessageSent', words = 'hello'): Promise<NewEvent> {
  const event = newEvent(type);
  const { key } = await side.contentKeys.putIfAbsent(event.id, newContentKey());
  return { ...event, data: { channelId: 1, content: seal(words, event.id, key) } };
}

export const queueRegistered = (queueId: string = randomUUID()): NewEvent =>
  newEvent('QueueRegistered', { queueId, userId: 1, startsAfter: 3, statePositions: { users: 3 } });
