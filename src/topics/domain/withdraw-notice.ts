import type { Decide, Decider } from '../../kernel/decider.js';
import { derivedId } from '../../kernel/derived-id.js';
import type { Recorded } from '../../kernel/event.js';
import { NOTIFICATION_BOT } from '../../kernel/system-bots.js';
import type { MessageDeleted, MessageLifeEvent, Placed } from '../../messages/domain/message.events.js';
import { type MessageSent, messageIdAt } from '../../messages/domain/messages.events.js';
import type { MoveNotice } from './move-notices.js';

/** How soon a topic is resolved again, or no longer, for nobody to need to know. */
const UNDONE_WITHIN_MS = 60_000;

/** Under which a notice is appended: so its event says which move it tells of, and how. */
export const moveNoticeId = (moveId: string, kind: MoveNotice['kind']): string =>
  derivedId('move-notice', moveId, kind);

/** A message, as far as it is a notice that a topic was resolved, or no longer is. */
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

export const resolutionNotice: Decider<ResolutionNotice, MessageLifeEvent> = {
  initialState: NONE,
  evolve: (state, event) => (event.type === 'MessageDeleted' ? NONE : state),
};

/** What a topic's newest message says is no longer so. */
export class WithdrawNotice {
  constructor(
    /** When that came about; milliseconds since 1970. */
    readonly at: number,
  ) {}
}

/** Only at once: later, people may have gone by it. */
export const decideWithdrawNotice: Decide<WithdrawNotice, ResolutionNotice, MessageDeleted, Placed> = (
  { at },
  state,
  where,
) => {
  if (state.status === 'none' || at - state.sentAt > UNDONE_WITHIN_MS) return [];
  const { messageId, keyId } = state;
  return [{ type: 'MessageDeleted', data: { messageId, senderId: NOTIFICATION_BOT.id, ...where, keyId } }];
};
