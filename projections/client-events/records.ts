import {
  type DirectoryEvent,
  directoryChanges,
  recordKey,
  recordsTouched,
} from '../../src/directory/directory.changes.js';
import type {
  ChannelRecord,
  DirectoryKind,
  DirectoryRecords,
  RecordChange,
  RecordLookup,
  UserRecord,
} from '../../src/directory/directory.records.js';
import type { DocumentId } from '../../src/platform/documents/document-store.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import { type Change, insert, type LookUp, type OwnDocuments } from '../../src/platform/read-models/projection.js';

/** Kinds of records that the feed copies, so that client events hold the facts of the event's time. */
const KEPT = [
  'organization',
  'users',
  'channels',
  'userGroups',
  'memberships',
] as const satisfies readonly DirectoryKind[];
type KeptKind = (typeof KEPT)[number];

/** The feed's copy of a channel. */
export interface FeedChannel extends ChannelRecord {
  /** null until it has a message. */
  readonly firstMessageId: number | null;
}

/** A channel's own facts at the event. The directory's intervals tell its subscribers. */
export type ChannelPayload = Omit<FeedChannel, 'nameKey' | 'position' | 'sightIntervals'>;

/** The copies by kind. The copy of a channel also has its first message. */
type KeptRecords = { readonly [K in KeptKind]: K extends 'channels' ? FeedChannel : DirectoryRecords[K] };

/** An event's changes of the feed's copies, by the directory's rule (D8). */
export interface Kept {
  readonly changes: readonly Change[];
  /** Gives a record that the event changes, as it is after the event. @throws Error if the event changes no such record */
  readonly after: <K extends KeptKind>(kind: K, id: DocumentId) => KeptRecords[K];
}

const isKept = (kind: DirectoryKind): kind is KeptKind => (KEPT as readonly DirectoryKind[]).includes(kind);

export const recordsLookedUp = (event: Recorded<DirectoryEvent>): readonly LookUp[] =>
  recordsTouched(event).filter(([kind]) => isKept(kind));

export async function keepRecords(event: Recorded<DirectoryEvent>, documents: OwnDocuments): Promise<Kept> {
  const records = new Map<string, DirectoryRecords[KeptKind]>();
  for (const [kind, id] of recordsTouched(event)) {
    if (!isKept(kind)) continue;
    const record = await documents.collection<DirectoryRecords[KeptKind]>(kind).findOne({ _id: id });
    if (record) records.set(recordKey(kind, id), record);
  }
  const get = ((kind, id) => records.get(recordKey(kind, id))) as RecordLookup;
  const changes: Change[] = [];
  for (const change of directoryChanges(event, get)) {
    const { kind, record } = change;
    if (!isKept(kind)) continue;
    const kept = await keptOf(change, documents);
    records.set(recordKey(kind, record._id), kept as DirectoryRecords[KeptKind]);
    changes.push(insert(kind, kept));
  }
  return {
    changes,
    after: (kind, id) => {
      const record = get(kind, id);
      if (!record) throw new Error(`${kind} ${id} has events before its creation`);
      return record as unknown as KeptRecords[typeof kind];
    },
  };
}

export async function channelOf(channelId: number, documents: OwnDocuments): Promise<FeedChannel> {
  const channel = await documents.collection<FeedChannel>('channels').findOne({ _id: channelId });
  if (!channel) throw new Error(`channel ${channelId} has events before its creation`);
  return channel;
}

export function payloadOf(channel: FeedChannel): ChannelPayload {
  const { nameKey: _key, position: _position, sightIntervals: _sight, ...facts } = channel;
  return facts;
}

function keptOf(
  { kind, record }: RecordChange,
  documents: OwnDocuments,
): DirectoryRecords[DirectoryKind] | Promise<FeedChannel> {
  if (kind === 'channels') return withFirstMessage(record as FeedChannel, documents);
  return kind === 'users' ? withoutWebhook(record) : record;
}

/** The webhook of a bot is content: it is filled in when an event is sent, and no copy of it stays in the feed. */
function withoutWebhook(user: UserRecord): UserRecord {
  if (!user.bot?.webhook) return user;
  const { type, ownerId } = user.bot;
  return { ...user, bot: { type, ownerId } };
}

/** Keeps the first message of a channel whose creation is applied again. */
async function withFirstMessage(record: FeedChannel, documents: OwnDocuments): Promise<FeedChannel> {
  if (record.firstMessageId !== undefined) return record;
  const before = await documents.collection<FeedChannel>('channels').findOne({ _id: record._id });
  return { ...record, firstMessageId: before?.firstMessageId ?? null };
}
