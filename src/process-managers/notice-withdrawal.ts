import { MESSAGES, type MessageDocument, messages } from '../../projections/messages.projection.js';
import type { ReadModels } from '../../projections/runner/read-models.js';
import type { CommandRunner } from '../command-runner/command-runner.js';
import type { DecidedStream } from '../command-runner/stream-states.js';
import { derivedId } from '../kernel/derived-id.js';
import type { Recorded } from '../kernel/event.js';
import { fold } from '../kernel/fold.js';
import type { Position } from '../kernel/position.js';
import { type MessageLifeEvent, messageStream } from '../messages/domain/message.events.js';
import { MESSAGES_STREAM, type MessageSent, revisionOf } from '../messages/domain/messages.events.js';
import { placedIn } from '../messages/queries/message-to-change.js';
import type { MessagesMoved } from '../topics/domain/topics.events.js';
import {
  asResolutionNotice,
  decideWithdrawNotice,
  moveNoticeId,
  type ResolutionNotice,
  resolutionNotice,
  WithdrawNotice,
} from '../topics/domain/withdraw-notice.js';
import { knownThrough } from './known-documents.js';

/** `messages`, and those of each message. */
const MESSAGE_STREAMS = 'message';

/**
 * Where a topic is resolved and at once no longer, or the other way round, and nobody has written in between, the notice
 * of the first goes, and there is none of the second.
 *
 * @returns the position by which the notice was gone; null where there is to be another
 */
export async function noticeWithdrawn(
  move: Recorded<MessagesMoved>,
  runner: CommandRunner,
  readModels: ReadModels,
): Promise<Position | null> {
  const { id, metadata, position } = move;
  const withdrawalId = derivedId('move-notice-withdrawal', id);
  // Documents are as of now: which of the two has followed is settled by the log.
  const ids = [withdrawalId, moveNoticeId(id, 'resolved')];
  const before = await runner.firstFollowed(move, ids, MESSAGE_STREAMS);
  if (before) return before.id === withdrawalId ? before.position : null;
  await knownThrough(position, [messages], readModels);
  const asOf = readModels.position(messages);
  const newest = await newestBefore(move, readModels);
  if (!newest) return null;
  const { events, ...outcome } = await runner.decide({
    ...noticeOf(newest._id),
    decide: decideWithdrawNotice,
    command: new WithdrawNotice(metadata.at),
    context: placedIn(newest, asOf),
    by: { actorId: metadata.actorId, client: metadata.client, correlationId: metadata.correlationId },
    cause: { eventId: id, position, ids: () => withdrawalId },
  });
  if (events.length === 0) return null;
  // Whoever follows the log does it too, should this be as far as it goes.
  await runner.destroyKeys(events.map(({ data }) => data.keyId));
  return outcome.position;
}

async function newestBefore(
  { data: { to }, position }: Recorded<MessagesMoved>,
  readModels: ReadModels,
): Promise<MessageDocument | undefined> {
  const collection = readModels.collection<MessageDocument>(messages, MESSAGES);
  const place = { channelId: to.channelId, topicKey: fold(to.topic), sentPosition: { $lt: position } };
  const [newest] = await collection.find(place, { sort: { sentPosition: -1 }, limit: 1 });
  return newest;
}

const noticeOf = (messageId: number): DecidedStream<ResolutionNotice, MessageLifeEvent> => ({
  stream: messageStream(messageId),
  decider: resolutionNotice,
  origin: {
    stream: MESSAGES_STREAM,
    revision: revisionOf(messageId),
    begin: (event) => asResolutionNotice(event as Recorded<MessageSent>),
  },
});
