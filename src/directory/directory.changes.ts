import type { ChannelCreated } from '../channels/domain/channels.events.js';
import type { DocumentId } from '../document-store/document-store.js';
import type { DomainEvent, Recorded } from '../kernel/event.js';
import { fold } from '../kernel/fold.js';
import type { Position } from '../kernel/position.js';
import type { OrganizationCreated } from '../organization/domain/organization.events.js';
import type { UsersSubscribed, UsersUnsubscribed } from '../subscriptions/domain/subscriptions.events.js';
import type { ApiKeyIssued, UserCreated, UserDeactivated } from '../users/domain/users.events.js';
import type {
  DirectoryKind,
  PositionInterval,
  RecordChange,
  RecordLookup,
  SubscriptionRecord,
} from './directory.records.js';

/** Every event that changes the organisation's records. */
export type DirectoryEvent =
  | OrganizationCreated
  | UserCreated
  | ApiKeyIssued
  | UserDeactivated
  | ChannelCreated
  | UsersSubscribed
  | UsersUnsubscribed;

interface Rule<E extends DomainEvent> {
  /** Ids of the records that the change is made from. */
  readonly touches: (event: Recorded<E>) => readonly (readonly [DirectoryKind, DocumentId])[];
  readonly changes: (event: Recorded<E>, get: RecordLookup) => readonly RecordChange[];
}

type Rules = { readonly [T in DirectoryEvent['type']]: Rule<Extract<DirectoryEvent, { type: T }>> };

const subscriptionId = (channelId: number, userId: number): string => `${channelId}/${userId}`;

const ended = (intervals: readonly PositionInterval[], position: Position): PositionInterval[] =>
  intervals.map((interval) => (interval.to === null ? { ...interval, to: position } : interval));

const none = (): readonly [] => [];

/** One rule for the documents and for the memory of every process (D8). Applying an event again changes nothing. */
const rules: Rules = {
  OrganizationCreated: {
    touches: none,
    changes: ({ data, metadata, position }) => [
      {
        kind: 'organization',
        record: { _id: 'organization', name: data.name, createdAt: metadata.at, position },
      },
    ],
  },
  UserCreated: {
    touches: none,
    changes: ({ data, metadata, position }) => [
      {
        kind: 'users',
        record: {
          _id: data.userId,
          email: data.email,
          emailKey: fold(data.email),
          fullName: data.fullName,
          role: data.role,
          isActive: true,
          activeIntervals: [{ from: position, to: null }],
          createdAt: metadata.at,
          passwordHash: data.passwordHash,
          keyHashes: [],
          position,
        },
      },
    ],
  },
  ApiKeyIssued: {
    touches: ({ data }) => [['users', data.userId]],
    changes: ({ data, position }, get) => {
      const user = get('users', data.userId);
      if (!user || user.position >= position) return [];
      return [{ kind: 'users', record: { ...user, keyHashes: [...user.keyHashes, data.keyHash], position } }];
    },
  },
  UserDeactivated: {
    touches: ({ data }) => [['users', data.userId]],
    changes: ({ data, position }, get) => {
      const user = get('users', data.userId);
      if (!user || user.position >= position) return [];
      const activeIntervals = ended(user.activeIntervals, position);
      return [{ kind: 'users', record: { ...user, isActive: false, activeIntervals, keyHashes: [], position } }];
    },
  },
  ChannelCreated: {
    touches: none,
    changes: ({ data, metadata, position }) => [
      {
        kind: 'channels',
        record: {
          _id: data.channelId,
          name: data.name,
          nameKey: fold(data.name),
          description: data.description,
          renderedDescription: data.renderedDescription,
          inviteOnly: data.inviteOnly,
          historyPublicToSubscribers: data.historyPublicToSubscribers,
          isArchived: false,
          creatorId: data.creatorId,
          createdAt: metadata.at,
          position,
        },
      },
    ],
  },
  UsersSubscribed: {
    touches: ({ data }) => data.userIds.map((userId) => ['subscriptions', subscriptionId(data.channelId, userId)]),
    changes: ({ data, position }, get) =>
      data.userIds.flatMap((userId) => {
        const id = subscriptionId(data.channelId, userId);
        const before = get('subscriptions', id);
        if (before && before.position >= position) return [];
        const intervals = [...(before?.intervals ?? []), { from: position, to: null }];
        const record: SubscriptionRecord = { _id: id, channelId: data.channelId, userId, intervals, position };
        return [{ kind: 'subscriptions', record }];
      }),
  },
  UsersUnsubscribed: {
    touches: ({ data }) => data.userIds.map((userId) => ['subscriptions', subscriptionId(data.channelId, userId)]),
    changes: ({ data, position }, get) =>
      data.userIds.flatMap((userId) => {
        const before = get('subscriptions', subscriptionId(data.channelId, userId));
        if (!before || before.position >= position) return [];
        return [
          { kind: 'subscriptions', record: { ...before, intervals: ended(before.intervals, position), position } },
        ];
      }),
  },
};

export const directoryEventTypes = Object.keys(rules) as readonly DirectoryEvent['type'][];

export const isDirectoryEvent = (event: DomainEvent): event is DirectoryEvent => event.type in rules;

export const recordsTouched = (event: Recorded<DirectoryEvent>): readonly (readonly [DirectoryKind, DocumentId])[] =>
  ruleFor(event).touches(event);

export const directoryChanges = (event: Recorded<DirectoryEvent>, get: RecordLookup): readonly RecordChange[] =>
  ruleFor(event).changes(event, get);

function ruleFor(event: Recorded<DirectoryEvent>): Rule<DirectoryEvent> {
  return rules[event.type] as unknown as Rule<DirectoryEvent>;
}
