import type {
  ChannelFolderEvent,
  ChannelFoldersReordered,
} from '../../../src/events/channels/channel-folders.events.js';
import type { ChannelPutInFolder } from '../../../src/events/channels/channels.events.js';
import type { QueueExpired } from '../../../src/events/event-queues/event-queues.events.js';
import { eventStreams } from '../../../src/events/event-registry.js';
import type { InvitationExpired } from '../../../src/events/invitations/invitations.events.js';
import type { TransparencyEvent } from '../../../src/events/transparency/transparency.events.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import { newEventId } from '../../../src/platform/kernel/ids.js';
import { recordedEvents } from './recorded.js';

type Unrecorded =
  | ChannelFolderEvent
  | ChannelFoldersReordered
  | ChannelPutInFolder
  | InvitationExpired
  | QueueExpired
  | TransparencyEvent;

const EVENT_ID = '01a21b34-d479-7029-a7ef-fd670c04f40d';
const FOLDER = { folderId: 1, name: 'Teams' };

/** Examples of types that no recorded log has. */
const UNRECORDED: readonly Unrecorded[] = [
  {
    type: 'ChannelFolderCreated',
    data: { ...FOLDER, description: '*All* teams', renderedDescription: '<p><em>All</em> teams</p>', creatorId: 1 },
  },
  { type: 'ChannelFolderRenamed', data: { folderId: 1, from: 'Teams', to: 'Our teams' } },
  {
    type: 'ChannelFolderDescriptionChanged',
    data: { folderId: 1, from: '*All* teams', to: 'Teams', renderedDescription: '<p>Teams</p>' },
  },
  { type: 'ChannelFoldersReordered', data: { from: [1, 2], to: [2, 1] } },
  { type: 'ChannelPutInFolder', data: { channelId: 1, from: null, to: 1 } },
  { type: 'ChannelFolderArchived', data: FOLDER },
  { type: 'ChannelFolderUnarchived', data: FOLDER },
  { type: 'InvitationExpired', data: { invitationId: 1, keyId: EVENT_ID } },
  { type: 'QueueExpired', data: { queueId: '2fe8e695-5bd1-4dd1-8d4c-3e1f3b5f8a11' } },
  { type: 'DeletedKeysFound', data: { keys: 3 } },
  { type: 'MissingKeysAccepted', data: { keys: 2, of: 100, newestEvent: EVENT_ID } },
  {
    type: 'EventSkipped',
    data: { stream: 'users', revision: 12, position: 30, id: EVENT_ID, type: 'UserRenamed', reason: 'is not JSON' },
  },
  {
    type: 'RestoredLogAccepted',
    data: {
      origin: 'chat.example.com/log',
      size: 1200,
      root: 'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=',
      name: '2026-11-23',
    },
  },
  {
    type: 'LogSignerChanged',
    data: {
      previousOrigin: 'chat.example.com/log',
      previousVerifier: 'chat.example.com/log+1d2f3a4b+AZtJ7Qr0n5bVxg7Zb0wBqg9Q2l3X4c5V6b7N8m9KaLsD',
      origin: 'chat.example.org/log',
      verifier: 'chat.example.org/log+5e6f7a8b+AZtJ7Qr0n5bVxg7Zb0wBqg9Q2l3X4c5V6b7N8m9KaLsD',
    },
  },
  { type: 'BackupRestored', data: { backup: '2026-11-23T02-00-00Z', madeAt: 1_795_752_776_825, events: 1200 } },
];

/** The recorded log, and after it an event of each type that it lacks. @throws Error if it lacks none of them any more */
export async function exampleEvents(): Promise<readonly Recorded[]> {
  const recorded = await recordedEvents();
  const known = new Set(recorded.map(({ type }) => type));
  const superfluous = UNRECORDED.filter(({ type }) => known.has(type)).map(({ type }) => type);
  if (superfluous.length > 0) throw new Error(`event-examples.ts has examples of recorded events: ${superfluous}`);
  const last = recorded.at(-1)?.position ?? 0;
  const metadata = {
    actorId: 1,
    client: 'node',
    at: 1_795_752_776_825,
    correlationId: newEventId(),
    causationId: null,
  };
  const others = UNRECORDED.map((event, index) => ({
    ...event,
    id: newEventId(),
    stream: eventStreams.find(({ events }) => events.some(({ type }) => type === event.type))?.name ?? '',
    revision: 1000 + index,
    position: last + 1 + index,
    metadata,
  }));
  return [...recorded, ...others];
}

const LONG = 600;

/** The event of each type that tells most: with the most fields that have a value, if it is not too long to read. */
export function bestExamples(events: readonly Recorded[]): ReadonlyMap<string, Recorded> {
  const best = new Map<string, Recorded>();
  for (const event of events) {
    const known = best.get(event.type);
    if (!known || worthOf(event) > worthOf(known)) best.set(event.type, event);
  }
  return best;
}

function worthOf({ data }: Recorded): number {
  const text = JSON.stringify(data);
  const fields = text.match(/":(?!null|\[\])/g)?.length ?? 0;
  return text.length > LONG ? -text.length : fields;
}
