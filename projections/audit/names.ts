import type { ChannelCreated, ChannelRenamed } from '../../src/events/channels/channels.events.js';
import type { BotCreated, UserCreated, UserEmailChanged, UserRenamed } from '../../src/events/users/users.events.js';
import type { StoredDocument } from '../../src/platform/documents/document-store.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import type { Position } from '../../src/platform/kernel/position.js';
import { foldCase } from '../../src/platform/kernel/text.js';
import { channelKey, userKey } from './audit-keys.js';

/** A name or an address that an account or a channel got. It has it until the next of its kind. */
export interface NameDocument extends StoredDocument {
  /** `<position>/<kind>` */
  readonly _id: string;
  /** The account's or channel's key (`audit-keys.ts`). */
  readonly holder: string;
  readonly kind: NameKind;
  readonly value: string;
  /** `value` folded. */
  readonly key: string;
  readonly position: Position;
}

export type NameKind = 'name' | 'email';

export const NAMES = 'names';

const NAMING = ['UserCreated', 'BotCreated', 'UserRenamed', 'UserEmailChanged', 'ChannelCreated', 'ChannelRenamed'];

type Naming = UserCreated | BotCreated | UserRenamed | UserEmailChanged | ChannelCreated | ChannelRenamed;

/** Every name and address that the event gives. */
export function namesGiven(event: Recorded): readonly NameDocument[] {
  const { position } = event;
  const given = (holder: string, kind: NameKind, value: string): NameDocument => ({
    _id: `${position}/${kind}`,
    holder,
    kind,
    value,
    key: foldCase(value),
    position,
  });
  if (!isNaming(event)) return [];
  switch (event.type) {
    case 'UserCreated':
    case 'BotCreated': {
      const { userId, fullName, email } = event.data;
      return [given(userKey(userId), 'name', fullName), given(userKey(userId), 'email', email)];
    }
    case 'UserRenamed':
      return [given(userKey(event.data.userId), 'name', event.data.to)];
    case 'UserEmailChanged':
      return [given(userKey(event.data.userId), 'email', event.data.to)];
    case 'ChannelCreated':
      return [given(channelKey(event.data.channelId), 'name', event.data.name)];
    case 'ChannelRenamed':
      return [given(channelKey(event.data.channelId), 'name', event.data.to)];
  }
}

const isNaming = (event: Recorded): event is Recorded<Naming> => NAMING.includes(event.type);
