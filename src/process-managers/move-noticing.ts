import { CHANNELS_STREAM } from '../channels/domain/channels.events.js';
import { channels } from '../channels/domain/channels.state.js';
import type { CommandRunner } from '../command-runner/command-runner.js';
import type { CommandContext } from '../kernel/command-context.js';
import { derivedId } from '../kernel/derived-id.js';
import type { Recorded } from '../kernel/event.js';
import { fold } from '../kernel/fold.js';
import type { Position } from '../kernel/position.js';
import { NOTIFICATION_BOT } from '../kernel/system-bots.js';
import { type ContentFacts, NO_CONTENT_FACTS, NO_NAMES } from '../messages/domain/content-facts.js';
import { contentOf } from '../messages/domain/message-content.js';
import {
  MESSAGES_STREAM,
  type MessageContent,
  type MessageSent,
  messageIdAt,
} from '../messages/domain/messages.events.js';
import { type FlagsAdded, readStateStream } from '../read-state/domain/read-state.events.js';
import { type MoveNames, type MoveNotice, moveNotices } from '../topics/domain/move-notices.js';
import { type MessagesMoved, resolutionOf } from '../topics/domain/topics.events.js';
import { moveNoticeId } from '../topics/domain/withdraw-notice.js';
import { USERS_STREAM } from '../users/domain/users.events.js';
import { users } from '../users/domain/users.state.js';
import { noticeWithdrawn } from './notice-withdrawal.js';
import { processManager } from './process-manager.js';

/** A move is announced where its messages were, and where they are now. Who moved them has read that. */
export const moveNoticing = processManager<MessagesMoved>({
  name: 'move-noticing',
  on: 'MessagesMoved',
  react: async (event, runner, readModels) => {
    const moverId = event.metadata.actorId;
    if (moverId === null) return event.position;
    const withdrawn = resolutionOf(event.data) && (await noticeWithdrawn(event, runner, readModels));
    if (withdrawn !== null) return withdrawn;
    const names = await namesFor(moverId, runner);
    let reached = event.position;
    for (const notice of moveNotices(event.data, names)) {
      const content = contentOf(notice.text, names.facts);
      reached = Math.max(reached, await announce(notice, content, moverId, event, runner));
    }
    return reached;
  },
});

/** As they are in the log when the notice is written: a repeat may find others, and appends nothing. */
async function namesFor(moverId: number, runner: CommandRunner): Promise<MoveNames & { readonly facts: ContentFacts }> {
  const people = await runner.stateOf({ stream: USERS_STREAM, decider: users });
  const { byId, idByName } = await runner.stateOf({ stream: CHANNELS_STREAM, decider: channels });
  const mover = { id: moverId, fullName: people.byId.get(moverId)?.fullName ?? '' };
  const userById = (id: number) => (id === moverId ? { ...mover, isActive: true } : undefined);
  const channel = (name: string) => {
    const id = idByName.get(fold(name));
    return id === undefined ? undefined : { id, name, newestIn: () => null };
  };
  return {
    mover,
    channelName: (channelId) => byId.get(channelId)?.name ?? '',
    isPrivate: (channelId) => byId.get(channelId)?.inviteOnly ?? true,
    facts: { ...NO_CONTENT_FACTS, names: { ...NO_NAMES, userById, channel } },
  };
}

async function announce(
  { kind, place }: MoveNotice,
  content: MessageContent,
  moverId: number,
  cause: Recorded<MessagesMoved>,
  runner: CommandRunner,
): Promise<Position> {
  const by: CommandContext = { actorId: null, client: 'Internal', correlationId: cause.metadata.correlationId };
  const notice: MessageSent = {
    type: 'MessageSent',
    data: {
      senderId: NOTIFICATION_BOT.id,
      recipient: { type: 'channel', ...place },
      readBySender: true,
      localEcho: null,
      sendKey: null,
      content,
    },
  };
  const id = moveNoticeId(cause.id, kind);
  const { revision } = await runner.reportFollowing(MESSAGES_STREAM, notice, by, { id, cause, hasWords: true });
  const messageId = messageIdAt(revision);
  const read: FlagsAdded = {
    type: 'FlagsAdded',
    data: { userId: moverId, flag: 'read', ranges: [[messageId, messageId]] },
  };
  const readId = derivedId('move-notice-read', cause.id, kind);
  const { position } = await runner.reportFollowing(readStateStream(moverId), read, by, {
    id: readId,
    cause,
    hasWords: false,
  });
  return position;
}
