import type { AuditDocument } from '../../../../projections/audit/audit.projection.js';
import { messageKey, topicKey } from '../../../../projections/audit/audit-keys.js';
import type { MessageSent } from '../../../events/messages/messages.events.js';
import { isMoved, type MessagesMoved } from '../../../events/messages/topics.events.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import { MAX_POSITION, type Position } from '../../../platform/kernel/position.js';
import { nextSlice } from '../../../platform/kernel/slices.js';
import type { AuditLog } from '../log/audit-log.js';
import type { AuditDocuments } from './audit-documents.js';

const FIRST_BATCH = 4;
const LARGEST_BATCH = 128;

/**
 * The positions of the moves that took a message along. A move names one message; which others it takes follows from the
 * topic that they are in. So the message is followed from topic to topic.
 */
export async function movesOf(
  { data: { recipient }, position }: Recorded<MessageSent>,
  messageId: number,
  documents: AuditDocuments,
  log: AuditLog,
): Promise<readonly Position[]> {
  if (recipient.type === 'direct') return [];
  const { single, end } = await singleMoves(messageId, documents, log);
  const positions: Position[] = [];
  let place = topicKey(recipient);
  let after = position;
  for (;;) {
    const alone = single.find((move) => move.position > after && topicKey(move.data.from) === place);
    const window = { $gt: after, $lt: Math.min(alone?.position ?? end, end) };
    const together = await firstThatTakes(messageId, { movesFrom: place, _id: window }, documents, log);
    const move = together ?? alone;
    if (!move) return positions;
    positions.push(move.position);
    after = move.position;
    place = topicKey(move.data.to);
    // Lets other requests run while a message is followed on a long way.
    await nextSlice();
  }
}

/** The moves of the message alone, oldest first, and the position of its deletion: a deleted message moves no more. */
async function singleMoves(messageId: number, documents: AuditDocuments, log: AuditLog) {
  const about = messageKey(messageId);
  const types = { $in: ['MessagesMoved', 'MessageDeleted'] };
  const found = await documents.events.find({ about, type: types }, { sort: { _id: 1 } });
  const end = found.find(({ type }) => type === 'MessageDeleted')?._id ?? MAX_POSITION;
  const moves = await log.eventsOf(found.filter(({ type, movesFrom }) => type === 'MessagesMoved' && !movesFrom));
  return { single: moves.filter(isMove).filter((move) => move.position < end), end };
}

async function firstThatTakes(
  messageId: number,
  { movesFrom, _id }: { readonly movesFrom: string; readonly _id: { readonly $gt: Position; readonly $lt: Position } },
  documents: AuditDocuments,
  log: AuditLog,
): Promise<Recorded<MessagesMoved> | null> {
  let after = _id.$gt;
  for (let limit = FIRST_BATCH; ; limit = Math.min(limit * 2, LARGEST_BATCH)) {
    const window = { $gt: after, $lt: _id.$lt };
    const found: AuditDocument[] = await documents.events.find({ movesFrom, _id: window }, { sort: { _id: 1 }, limit });
    const moves = (await log.eventsOf(found)).filter(isMove);
    const move = moves.find(({ data }) => isMoved(data, messageId));
    const last = found.at(-1);
    if (move || !last || found.length < limit) return move ?? null;
    after = last._id;
  }
}

const isMove = (event: Recorded): event is Recorded<MessagesMoved> => event.type === 'MessagesMoved';
