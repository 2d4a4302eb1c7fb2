import type { MessageDeleted, MessageEvent, Placed } from '../../../events/messages/message.events.js';
import { type MessageSent, messageIdAt } from '../../../events/messages/messages.events.js';
import { NOTIFICATION_BOT } from '../../../events/shared/system-bots.js';
import type { Decide, Decider } from '../../../platform/kernel/deciding.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import { derivedId } from '../../../platform/kernel/ids.js';
import { placed } from './message.state.js';
import type { MoveNotice } from './move-notices.js';

/** Time after a resolution in which the opposite withdraws its notice. */
const UNDONE_WITHIN_MS = 60_000;

/** The id of a notice's event: it tells which move the notice is about, and its kind. */
export const moveNoticeId = (moveId: string, kind: MoveNotice['kind']): string =>
  derivedId('move-notice', moveId, kind);

/** The notice that a topic was resolved or unresolved, if the message is one. */
export type ResolutionNotice =
  | { readonly status: 'none' }
  | { readonly status: 'said'; readonly messageId: number; readonly sentAt: number; readonly keyId: string };

const NONE = { status: 'none' } as const;

export function asResolutionNotice({ id, revision, data, metadata }: Recorded<MessageSent>): ResolutionNotice {
  const { causationId, at } = metadata;
  if (data.senderId !== NOTIFICATION_BOT.id || causationId === null) return NONE;
  if (id !== moveNoticeId(causationId, 'resolved')) return NONE;
  return { status: 'said', messageId: messageIdAt(revision), sentAt: at, keyId: id };
}

export const resolutionNotice: Decider<ResolutionNotice, MessageEvent> = {
  initialState: NONE,
  evolve: (state, event) => (event.type === 'MessageDeleted' ? NONE : state),
};

/** Withdraws a topic's newest message: a notice that no longer holds. */
export class WithdrawNotice {
  constructor(
    /** Time of the move that ended it, in milliseconds since 1970. */
    readonly at: number,
  ) {}
}

/** Withdraws the notice within a minute only: later, users may have acted on it. */
export const decideWithdrawNotice: Decide<WithdrawNotice, ResolutionNotice, MessageDeleted, Placed> = (
  { at },
  state,
  where,
) => {
  if (state.status === 'none' || at - state.sentAt > UNDONE_WITHIN_MS) return [];
  const { messageId, keyId } = state;
  return [{ type: 'MessageDeleted', data: { messageId, senderId: NOTIFICATION_BOT.id, ...placed(where), keyId } }];
};
