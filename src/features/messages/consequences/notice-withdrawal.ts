import { MESSAGES, type MessageDocument, messages } from '../../../../projections/messages/messages.projection.js';
import { type MessageEvent, messageStream } from '../../../events/messages/message.events.js';
import { MESSAGES_STREAM, type MessageSent, revisionOf } from '../../../events/messages/messages.events.js';
import type { MessagesMoved } from '../../../events/messages/topics.events.js';
import type { CommandRunner } from '../../../platform/commands/command-runner.js';
import type { FoldedStream } from '../../../platform/commands/stream-states.js';
import { knownThrough } from '../../../platform/consumers/known-documents.js';
import { decideAfter } from '../../../platform/consumers/process-manager.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import { derivedId } from '../../../platform/kernel/ids.js';
import type { Position } from '../../../platform/kernel/position.js';
import { foldCase } from '../../../platform/kernel/text.js';
import type { ReadModels } from '../../../platform/read-models/read-models.js';
import {
  asResolutionNotice,
  decideWithdrawNotice,
  moveNoticeId,
  type ResolutionNotice,
  resolutionNotice,
  WithdrawNotice,
} from '../domain/withdraw-notice.js';
import { placedIn } from '../queries/message-to-change.js';

/** Prefix of the stream `messages` and of each message's stream. */
const MESSAGE_STREAMS = 'message';

/**
 * Deletes the notice that a topic was resolved or unresolved, if the opposite follows at once and nobody has written in
 * between. The second move gets no notice.
 *
 * @returns the position by which the notice was deleted; null if the move is to be announced
 */
export async function noticeWithdrawn(
  move: Recorded<MessagesMoved>,
  runner: CommandRunner,
  readModels: ReadModels,
): Promise<Position | null> {
  const { id, metadata, position } = move;
  const withdrawalId = derivedId('move-notice-withdrawal', id);
  // Documents are as of now: only the log knows whether the withdrawal or the notice came first.
  const ids = [withdrawalId, moveNoticeId(id, 'resolved')];
  const before = await runner.firstFollowed(move, ids, MESSAGE_STREAMS);
  if (before) return before.id === withdrawalId ? before.position : null;
  await knownThrough(position, [messages], readModels);
  const asOf = readModels.position(messages);
  const newest = await newestBefore(move, readModels);
  if (!newest) return null;
  const { events, ...outcome } = await decideAfter(move, runner, {
    ...noticeOf(newest._id),
    decide: decideWithdrawNotice,
    command: new WithdrawNotice(metadata.at),
    context: placedIn(newest, asOf),
    ids: () => withdrawalId,
  });
  if (events.length === 0) return null;
  // If the process ends before this call, `ErasedContent` destroys the key.
  await runner.destroyKeys(runner.endedBy(events).keyIds);
  return outcome.position;
}

async function newestBefore(
  { data: { to }, position }: Recorded<MessagesMoved>,
  readModels: ReadModels,
): Promise<MessageDocument | undefined> {
  const collection = readModels.collection<MessageDocument>(messages, MESSAGES);
  const place = { channelId: to.channelId, topicKey: foldCase(to.topic), sentPosition: { $lt: position } };
  const [newest] = await collection.find(place, { sort: { sentPosition: -1 }, limit: 1 });
  return newest;
}

const noticeOf = (messageId: number): FoldedStream<ResolutionNotice, MessageEvent> => ({
  stream: messageStream(messageId),
  decider: resolutionNotice,
  origin: {
    stream: MESSAGES_STREAM,
    revision: revisionOf(messageId),
    begin: (event) => asResolutionNotice(event as Recorded<MessageSent>),
  },
});
