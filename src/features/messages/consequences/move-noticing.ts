import { messages } from '../../../../projections/messages/messages.projection.js';
import { CHANNELS_STREAM } from '../../../events/channels/channels.events.js';
import { MESSAGES_STREAM, type MessageContent, messageIdAt } from '../../../events/messages/messages.events.js';
import { type MessagesMoved, resolutionOf } from '../../../events/messages/topics.events.js';
import { type FlagsAdded, readStateStream } from '../../../events/read-state/read-state.events.js';
import { NOTIFICATION_BOT } from '../../../events/shared/system-bots.js';
import { USERS_STREAM } from '../../../events/users/users.events.js';
import type { CommandRunner } from '../../../platform/commands/command-runner.js';
import { processManager } from '../../../platform/consumers/process-manager.js';
import type { CommandContext } from '../../../platform/kernel/deciding.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import { derivedId } from '../../../platform/kernel/ids.js';
import type { Position } from '../../../platform/kernel/position.js';
import { foldCase } from '../../../platform/kernel/text.js';
import { channels } from '../../channels/domain/channels.state.js';
import { type ContentFacts, NO_CONTENT_FACTS, NO_NAMES } from '../../markdown/content-facts.js';
import { users } from '../../users/domain/users.state.js';
import { contentOf } from '../domain/message-content.js';
import { type MoveNames, type MoveNotice, moveNotices } from '../domain/move-notices.js';
import { messageSent } from '../domain/send-message.js';
import { moveNoticeId } from '../domain/withdraw-notice.js';
import { noticeWithdrawn } from './notice-withdrawal.js';

/** Announces a move in the place that the messages left and in their new place. The notices are read for the mover. */
export const moveNoticing = processManager<MessagesMoved>({
  name: 'move-noticing',
  on: 'MessagesMoved',
  appends: ['MessageSent', 'FlagsAdded', 'MessageDeleted'],
  reads: [messages],
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

/** Names as of the log when the notice is written. A repeat may find other names, and appends nothing. */
async function namesFor(moverId: number, runner: CommandRunner): Promise<MoveNames & { readonly facts: ContentFacts }> {
  const people = await runner.stateOf({ stream: USERS_STREAM, decider: users });
  const { byId, idByName } = await runner.stateOf({ stream: CHANNELS_STREAM, decider: channels });
  const mover = { id: moverId, fullName: people.byId.get(moverId)?.fullName ?? '' };
  const userById = (id: number) => (id === moverId ? { ...mover, isActive: true } : undefined);
  const channel = (name: string) => {
    const id = idByName.get(foldCase(name));
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
  const recipient = { type: 'channel', ...place } as const;
  const notice = messageSent({ senderId: NOTIFICATION_BOT.id, recipient, content });
  const id = moveNoticeId(cause.id, kind);
  const { revision } = await runner.reportFollowing(MESSAGES_STREAM, notice, by, { id, cause });
  const messageId = messageIdAt(revision);
  const read: FlagsAdded = {
    type: 'FlagsAdded',
    data: { userId: moverId, flag: 'read', ranges: [[messageId, messageId]] },
  };
  const readId = derivedId('move-notice-read', cause.id, kind);
  const { position } = await runner.reportFollowing(readStateStream(moverId), read, by, { id: readId, cause });
  return position;
}
