import { diffWordsWithSpace } from 'diff';
import { get, Refused, request } from '../../platform/api.js';
import { channels, people } from '../../platform/store.js';
import { timeOf } from '../../platform/times.js';
import type { PastData, TopicName } from './topic-then.js';

/** A part of a text: kept, added or taken away. */
interface Piece {
  readonly text: string;
  readonly kind: 'kept' | 'added' | 'removed';
}

/** Something that has happened to a message. */
export interface Deed {
  /** In UTC. */
  readonly at: string;
  readonly who: string;
  /** Program and address, as far as auditors learn of them; empty: nothing. */
  readonly fromWhere: string;
  /** A verb: `sent`, `edited`. */
  readonly did: string;
  /** The words and how they differ from those before; none: the words are as they were, or are not shown. */
  readonly words: readonly Piece[];
  /** Where it was before, and where it is then; null: it did not move. */
  readonly move: { readonly from: string; readonly to: string } | null;
}

type Answer = Awaited<ReturnType<typeof get<'/messages/{message_id}/history'>>>;
type Past = NonNullable<Answer['message_history']>[number];

/** The life of a message for whoever may read it, from its history of edits. @throws Refused */
export async function lifeForReaders(messageId: number): Promise<readonly Deed[]> {
  const { message_history: history = [] } = await request<Answer>('GET', `/messages/${messageId}/history`);
  return history.map(asDeed);
}

function asDeed(past: Past): Deed {
  const {
    content = '',
    prev_content: before,
    topic = '',
    prev_topic: priorTopic,
    stream,
    prev_stream: priorChannel,
  } = past;
  const isMove = priorTopic !== undefined || priorChannel !== undefined;
  const isEdit = before !== undefined;
  const isSend = !isMove && !isEdit;
  const [from, to] = [placeName(priorChannel ?? stream, priorTopic ?? topic), placeName(stream, topic)];
  return {
    at: timeOf(new Date((past.timestamp ?? 0) * 1000).toISOString()),
    who: nameOf(past.user_id ?? null),
    fromWhere: '',
    did: isSend ? 'sent' : [isEdit && 'edited', isMove && 'moved'].filter((verb) => verb !== false).join(' and '),
    words: isSend ? [{ text: content, kind: 'kept' }] : isEdit ? differences(before, content) : [],
    move: isMove ? { from, to } : null,
  };
}

/** The same for whoever may audit: with programs and addresses, and with the deletion. @throws Refused */
export async function lifeForAuditors(messageId: number): Promise<readonly Deed[]> {
  const deeds: Deed[] = [];
  let before: string | null = null;
  for (let after: number | null = 0; after !== null; ) {
    const page: Awaited<ReturnType<typeof auditOf>> = await auditOf(messageId, after);
    for (const event of page.events) {
      const data: PastData = event.data;
      const text: string | null = data.content?.text ?? null;
      deeds.push({
        at: timeOf(event.time),
        who: event.actor?.name ?? 'The server',
        fromWhere: [event.client, event.address].filter((where) => where !== null && where !== '').join(', '),
        did: VERBS[event.kind] ?? event.kind,
        words: text === null ? [] : before === null ? [{ text, kind: 'kept' }] : differences(before, text),
        move: data.from && data.to ? { from: nameOfTopic(data.from), to: nameOfTopic(data.to) } : null,
      });
      before = text ?? before;
    }
    after = page.cursor;
  }
  return deeds;
}

const auditOf = (messageId: number, after: number) =>
  get('/audit/events', {
    message_id: String(messageId),
    order: 'oldest',
    words: 'true',
    limit: '1000',
    after: after === 0 ? '' : String(after),
  });

const VERBS: Readonly<Record<string, string>> = {
  MessageSent: 'sent',
  MessageEdited: 'edited',
  MessagesMoved: 'moved',
  MessageDeleted: 'deleted',
  ReactionAdded: 'reacted',
  ReactionRemoved: 'took a reaction back',
};

/** Whether the caller may not audit: then there is the history that readers see. */
export const mayNotAudit = (error: unknown): boolean =>
  error instanceof Refused && error.code === 'UNAUTHORIZED_PRINCIPAL';

const differences = (before: string, after: string): readonly Piece[] =>
  diffWordsWithSpace(before, after).map(({ value, added, removed }) => ({
    text: value,
    kind: added ? 'added' : removed ? 'removed' : 'kept',
  }));

const nameOf = (userId: number | null): string =>
  userId === null ? 'The server' : (people.value.get(userId)?.full_name ?? `account ${userId}`);

const nameOfTopic = ({ channelId, topic }: TopicName): string => placeName(channelId, topic);

function placeName(channelId: number | undefined, topic: string): string {
  const channel = channelId === undefined ? '' : `#${channels.value.get(channelId)?.name ?? channelId} > `;
  return `${channel}${topic || 'general chat'}`;
}
