import { type AuditDocument, READING } from '../../../../projections/audit/audit.projection.js';
import { channelKey, messageKey, readingKey, topicKey, userKey } from '../../../../projections/audit/audit-keys.js';
import { NAMES, type NameDocument } from '../../../../projections/audit/names.js';
import { SYSTEM_BOTS, systemBotByEmail } from '../../../events/shared/system-bots.js';
import type { Filter, Sort } from '../../../platform/documents/document-store.js';
import { canonicalAddress } from '../../../platform/http/address-block.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import type { Position } from '../../../platform/kernel/position.js';
import { foldCase } from '../../../platform/kernel/text.js';
import type { AuditLog } from '../log/audit-log.js';
import type { AuditDocuments } from './audit-documents.js';
import { movesOf } from './moves-of-message.js';

export type AuditOrder = 'newest' | 'oldest';

/** What the events are asked for by; all of it holds together. null: not asked for. */
export interface AuditQuestion {
  /** Readings of the message's words are events of it only if `kinds` has them. */
  readonly messageId: number | null;
  readonly channelId: number | null;
  /** A topic of the channel, in any case. */
  readonly topic: string | null;
  readonly subjectId: number | null;
  /** A user's id, or a name or an address that an account has or had. */
  readonly actor: string | null;
  readonly kinds: readonly string[] | null;
  readonly client: string | null;
  /** The address of the request, in any spelling. */
  readonly address: string | null;
  /** Times, both inclusive, in milliseconds since 1970. */
  readonly from: number | null;
  readonly to: number | null;
}

/** The question that asks for every event. */
export const ALL_EVENTS: AuditQuestion = {
  messageId: null,
  channelId: null,
  topic: null,
  subjectId: null,
  actor: null,
  kinds: null,
  client: null,
  address: null,
  from: null,
  to: null,
};

/** A condition on events that an index finds. */
export interface AuditCondition {
  /** @param window the condition on the position */
  readonly filter: (window: object) => Filter<AuditDocument>;
  /** The keys of the index; null: it takes several. */
  readonly index: Sort | null;
}

/** The conditions of a question: an event is asked for if it meets all of them. */
export interface AuditConditions {
  readonly indexed: readonly AuditCondition[];
  /** Finds those of the documents that meet the condition that only the log can tell. null: there is no such condition. */
  readonly inLog: ((documents: readonly AuditDocument[]) => Promise<readonly AuditDocument[]>) | null;
}

/** @throws DomainError TOPIC_WITHOUT_CHANNEL, NO_ADDRESS, NO_SUCH_ACCOUNT */
export async function conditionsOf(
  question: AuditQuestion,
  documents: AuditDocuments,
  log: AuditLog,
): Promise<AuditConditions> {
  const { messageId, channelId, topic, subjectId, actor, kinds, client, address } = question;
  if (topic !== null && channelId === null) refuse('TOPIC_WITHOUT_CHANNEL');
  const from = address === null ? null : (canonicalAddress(address) ?? refuse('NO_ADDRESS'));
  const conditions: AuditCondition[] = [];
  if (messageId !== null)
    conditions.push(await aboutMessage(messageId, kinds?.includes(READING) ?? false, documents, log));
  if (channelId !== null)
    conditions.push(about(topic === null ? channelKey(channelId) : topicKey({ channelId, topic })));
  if (subjectId !== null) {
    if (!(await isAccount(subjectId, documents))) refuse('NO_SUCH_ACCOUNT', { parameter: 'subject_user_id' });
    conditions.push(about(userKey(subjectId)));
  }
  if (kinds !== null) conditions.push(among('type', kinds));
  if (actor !== null) conditions.push(among('actorId', await actorsNamed(actor, documents)));
  if (client !== null) conditions.push(among('client', [client]));
  const inLog = from === null ? null : (some: readonly AuditDocument[]) => log.fromAddress(from, some);
  return { indexed: conditions, inLog };
}

const about = (key: string): AuditCondition => ({
  filter: (_id) => ({ about: key, _id }),
  index: { about: 1, _id: 1 },
});

function among(field: 'type' | 'actorId' | 'client', values: readonly (string | number)[]): AuditCondition {
  const wanted = [...new Set(values)];
  return { filter: (_id) => ({ [field]: { $in: wanted }, _id }), index: { [field]: 1, _id: 1 } };
}

/**
 * The send is found by the message's number, and moves with other messages by the topics that the message was in. Readings
 * are found if they are asked for: each question with words is one, and would take the room of the message's events.
 */
async function aboutMessage(
  messageId: number,
  withReadings: boolean,
  documents: AuditDocuments,
  log: AuditLog,
): Promise<AuditCondition> {
  const sent = await log.sendOf(messageId);
  const positions: readonly Position[] = sent
    ? [sent.position, ...(await movesOf(sent, messageId, documents, log))]
    : [];
  const named = [messageKey(messageId), ...(withReadings ? [readingKey(messageId)] : [])].map(about);
  return {
    filter: (_id) => ({
      $or: [...named.map(({ filter }) => filter(_id)), { $and: [{ _id }, { _id: { $in: positions } }] }],
    }),
    index: null,
  };
}

/** The number of the account that a text names by it; null: it names one in another way. */
export const accountNumber = (text: string): number | null => (/^\d{1,15}$/.test(text) ? Number(text) : null);

/** @throws DomainError NO_SUCH_ACCOUNT */
async function actorsNamed(actor: string, documents: AuditDocuments): Promise<readonly number[]> {
  const id = accountNumber(actor);
  if (id !== null) return (await isAccount(id, documents)) ? [id] : refuse('NO_SUCH_ACCOUNT', { parameter: 'actor' });
  const bot = systemBotByEmail(actor);
  const found = await documents.collection<NameDocument>(NAMES).find({ key: foldCase(actor) });
  const accounts = found.filter(({ holder }) => holder.startsWith('u')).map(({ holder }) => Number(holder.slice(1)));
  const ids = [...accounts, ...(bot ? [bot.id] : [])];
  return ids.length === 0 ? refuse('NO_SUCH_ACCOUNT', { parameter: 'actor' }) : ids;
}

async function isAccount(id: number, documents: AuditDocuments): Promise<boolean> {
  if (SYSTEM_BOTS.some((bot) => bot.id === id)) return true;
  const names = await documents.collection<NameDocument>(NAMES).find({ holder: userKey(id) }, { limit: 1 });
  return names.length > 0;
}
