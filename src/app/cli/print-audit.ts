import { Logger } from '@nestjs/common';
import type { AnnouncedReadModels } from '../../../projections/runner/announced-read-models.js';
import { eventRegistry } from '../../events/event-registry.js';
import { hasWords } from '../../features/audit/domain/who-has-words.js';
import { AuditLog } from '../../features/audit/log/audit-log.js';
import { NotProved } from '../../features/audit/log/event-proofs.js';
import { AuditDocuments } from '../../features/audit/queries/audit-documents.js';
import type { AuditOrder, AuditQuestion } from '../../features/audit/queries/audit-question.js';
import {
  type AccountThen,
  type ActThen,
  type MessageThen,
  messageThen,
} from '../../features/audit/queries/message-then.js';
import { AuditSearch, type AuditSources } from '../../features/audit/services/audit-search.js';
import type { AuditWords } from '../../features/audit/services/audit-words.js';
import { addressKeysOf } from '../../platform/content-keys/month-key.js';
import type { EngineSettings, Engines } from '../../platform/engines/engines.js';
import { ANSWER_WAIT_MS } from '../../platform/kernel/answer-wait.js';
import { NO_CLIENT } from '../../platform/kernel/client-connection.js';
import { DomainError } from '../../platform/kernel/deciding.js';
import type { Json } from '../../platform/kernel/json.js';
import { isKeyMissing } from '../../platform/kernel/key-missing.js';
import { UnavailableError } from '../../platform/kernel/outcome-errors.js';
import type { Position } from '../../platform/kernel/position.js';
import { EventCodec } from '../../platform/log/event-codec.js';
import { PublishedTree } from '../../platform/transparency/published-tree.js';
import { TREE_DATABASE } from '../../platform/transparency/tree.documents.js';
import { AUDIT_FORMATS, type AuditFormatName } from './audit-formats.js';
import { isServed } from './control-client.js';
import { complain, UsageError } from './failure.js';
import { pagesUpTo } from './log-cursor.js';
import { printable } from './log-entry.js';
import { incomplete, openAuditDocuments, reasonOf } from './open-audit-documents.js';
import { inOrganization } from './open-organization.js';
import type { Printing } from './shell.js';
import { writeText } from './text.js';

/** Options as typed, each checked; times in milliseconds since 1970. */
export interface AuditOptions {
  readonly message?: number;
  readonly channel?: number;
  readonly topic?: string;
  readonly subject?: number;
  readonly actor?: string;
  readonly kind?: string[];
  readonly client?: string;
  readonly address?: string;
  readonly since?: number;
  readonly until?: number;
  readonly order: AuditOrder;
  readonly limit?: number;
  /** The message is told as it was then, instead of its events. */
  readonly asOf?: number;
  readonly format: AuditFormatName;
  /** Whether each event has a proof. */
  readonly proofs?: true;
  /** Whether events have their words. The command is in the log before. */
  readonly words?: true;
}

/** An operator has what every auditor has, and reads nothing as an account. OperatorActed says so before. */
const OPERATORS_WORDS: AuditWords = { shows: (event) => hasWords(null, event), reading: async () => {} };

/** Longest wait for a busy server that adds the newest events to the documents: ms. */
const SERVED_WAIT_MS = 60_000;
/** The same on shared engines, where a server may run elsewhere or nowhere. */
const SHARED_WAIT_MS = 10_000;

interface Sources extends Pick<AuditSources, 'tree' | 'words'> {
  readonly readModels: AnnouncedReadModels;
}

/** Answers a question from the documents of the engines, which a server keeps. The log has the events themselves. */
export async function printAudit(settings: EngineSettings, options: AuditOptions, printing: Printing): Promise<void> {
  // Failures come back as errors.
  Logger.overrideLogger(false);
  await inOrganization({ ...settings, readOnly: true }, async (engines) => {
    const wait = await longestWait(settings);
    const documents = await openAuditDocuments(engines, wait);
    try {
      const tree = options.proofs ? await openTree(engines, wait) : null;
      try {
        const words = options.words ? OPERATORS_WORDS : null;
        await print(engines, { readModels: documents, tree, words }, options, printing);
      } finally {
        await tree?.onApplicationShutdown();
      }
    } finally {
      await documents.close();
    }
  });
}

async function longestWait({ distributed, dataDirectory }: EngineSettings): Promise<number> {
  if (distributed) return SHARED_WAIT_MS;
  return (await isServed(dataDirectory)) ? SERVED_WAIT_MS : ANSWER_WAIT_MS;
}

async function openTree({ documentStore }: Engines, longestWait: number): Promise<PublishedTree> {
  // Opening the tree would create it.
  if (!(await documentStore.databases()).includes(TREE_DATABASE)) throw unproved();
  return PublishedTree.open(documentStore, longestWait);
}

async function print(
  { eventStore, contentKeys }: Engines,
  { readModels, tree, words }: Sources,
  { order, limit, format, asOf, ...options }: AuditOptions,
  { output, errors }: Printing,
): Promise<void> {
  const documents = new AuditDocuments(readModels);
  const complete = await headOfAudit(eventStore, documents, errors);
  const store = { knownHead: complete, head: async () => complete, readStream: eventStore.readStream.bind(eventStore) };
  const log = new AuditLog(store, new EventCodec(words ? contentKeys : addressKeysOf(contentKeys), eventRegistry));
  const reason = () => reasonOf(readModels);
  if (asOf !== undefined && options.message !== undefined) {
    const question = { messageId: options.message, asOf };
    const message = await answered(messageThen(question, { documents, log, words }, NO_CLIENT), question, reason);
    return writeText(output, format === 'json' ? `${JSON.stringify(message, null, 2)}\n` : messageThenText(message));
  }
  const search = await searchFor(questionOf(options), { documents, log, tree, words }, reason);
  const { start, entry, end } = AUDIT_FORMATS[format];
  await writeText(output, start);
  let isFirst = true;
  for await (const entries of search.all({ order, limit: limit ?? null, after: null }, NO_CLIENT)) {
    for (const one of entries) {
      await writeText(output, entry(one, isFirst));
      isFirst = false;
    }
  }
  await writeText(output, end);
}

/**
 * The position up to which the log has to be in the documents. Without a server, this command and earlier ones are the
 * newest events, and no documents have them: the answer goes up to the events before.
 */
async function headOfAudit(
  log: Engines['eventStore'],
  documents: AuditDocuments,
  errors: Printing['errors'],
): Promise<Position> {
  const head = await log.head();
  const { position } = documents;
  let acts = 0;
  for await (const events of pagesUpTo(log, head, { after: position })) {
    if (events.some(({ type }) => type !== 'OperatorActed')) return head;
    acts += events.length;
  }
  if (acts === 0 || (await isReached(head, documents))) return head;
  complain(
    errors,
    `the newest ${acts === 1 ? 'command of an operator is' : `${acts} commands of operators are`} not in this answer: a server adds them to the documents, and annals log --type OperatorActed prints them`,
  );
  return position;
}

async function isReached(head: Position, documents: AuditDocuments): Promise<boolean> {
  try {
    await documents.reach(head);
    return true;
  } catch (error) {
    if (error instanceof UnavailableError) return false;
    throw error;
  }
}

/** @throws UsageError for an unknown account; Error if the documents, or the tree for proofs, lack events of the log */
const searchFor = (question: AuditQuestion, sources: AuditSources, reason: () => Error | undefined) =>
  answered(AuditSearch.for(question, sources), question, reason);

/** Names what the question asks for, if there is no such thing. */
async function answered<Answer>(
  answer: Promise<Answer>,
  question: Partial<AuditQuestion>,
  reason: () => Error | undefined,
): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'NO_SUCH_ACCOUNT')
      throw new UsageError(
        `no such account: ${error.data.parameter === 'actor' ? question.actor : question.subjectId}`,
      );
    if (error instanceof DomainError && error.code === 'NO_MESSAGE_THEN')
      throw new UsageError(`there was no message ${question.messageId} then`);
    if (error instanceof NotProved) throw unproved(error);
    throw error instanceof UnavailableError ? incomplete(error, reason()) : error;
  }
}

const unproved = (cause?: Error): Error =>
  new Error('there is no signed checkpoint of the newest events: a server makes it', { cause });

const questionOf = (
  options: Omit<AuditOptions, 'order' | 'limit' | 'format' | 'asOf' | 'proofs' | 'words'>,
): AuditQuestion => ({
  messageId: options.message ?? null,
  channelId: options.channel ?? null,
  topic: options.topic ?? null,
  subjectId: options.subject ?? null,
  actor: options.actor ?? null,
  kinds: options.kind ?? null,
  client: options.client ?? null,
  address: options.address ?? null,
  from: options.since ?? null,
  to: options.until ?? null,
});

/** Tells in sentences what a message was at a time, and who could read it. */
function messageThenText(message: MessageThen): string {
  const { message_id, as_of, sent, edited, moved, deleted, revision } = message;
  const lines = [
    `message ${message_id}, as of ${as_of}`,
    `${nameOf(sent.by)} sent it on ${sent.time}`,
    ...done('edited', edited, `; its words were revision ${revision}`),
    ...done('moved', moved),
    ...done('deleted', deleted),
    `it was ${placeOf(message)}`,
    said(message.content),
    readers(message),
  ];
  return lines.map((line, at) => `${at === 0 ? '' : '    '}${printable(line)}\n`).join('');
}

const done = (verb: string, act: ActThen | null, more = ''): string[] =>
  act ? [`${nameOf(act.by)} ${verb} it on ${act.time}${more}`] : [];

function nameOf(account: AccountThen | null): string {
  if (!account) return 'the server';
  const { user_id, name, email } = account;
  return name === null ? `user ${user_id}` : `${name} <${email}>`;
}

function placeOf({ channel, topic, participants }: MessageThen): string {
  if (!channel) return `a direct message of ${(participants ?? []).map(nameOf).join(', ')}`;
  return `in ${channel.name ?? `channel ${channel.channel_id}`} > ${topic}`;
}

function said(content: Json): string {
  if (content === null) return 'its words are gone: their key is destroyed';
  if (isKeyMissing(content))
    return 'its words cannot be read: their key is missing, and no event tells that it was destroyed';
  if (typeof content === 'object' && 'text' in content) return `it said ${JSON.stringify(content.text)}`;
  return 'its words are sealed: --words shows them';
}

function readers({ deleted, readers: all }: MessageThen): string {
  if (deleted) return 'nobody could read it: it was deleted';
  if (all.length === 0) return 'nobody could read it';
  const accounts = all.length === 1 ? '1 account' : `${all.length} accounts`;
  return `it could be read by ${accounts}: ${all.map(({ user_id, name }) => `${name} (${user_id})`).join(', ')}`;
}
