/** A place of messages in channels. Topics are the same in any case. */
export interface TopicName {
  readonly channelId: number;
  readonly topic: string;
}

/** An event of the audit, as far as a topic's past is made of it. `data` is as `docs/events.md` has it. */
export interface PastEvent {
  readonly position: number;
  readonly kind: string;
  readonly stream: string;
  readonly revision: number;
  readonly time: string;
  readonly actor: { readonly user_id: number; readonly name: string | null } | null;
  readonly data: PastData;
}

interface Words {
  readonly text?: string;
}

/** Members of the four events that make a topic's past. */
export interface PastData {
  readonly recipient?: Partial<TopicName>;
  readonly messageId?: number;
  readonly content?: Words | null;
  readonly from?: TopicName;
  readonly to?: TopicName;
  readonly anchorId?: number;
  readonly propagateMode?: string;
  readonly reach?: readonly (readonly [number, number | null])[] | null;
}

export const PAST_KINDS = ['MessageSent', 'MessageEdited', 'MessagesMoved', 'MessageDeleted'] as const;

/** A message as it was then. */
export interface PastMessage {
  readonly id: number;
  readonly place: TopicName;
  readonly sender: string;
  readonly sentAt: string;
  readonly isEdited: boolean;
  /** null: its words are gone, sealed, or nobody asked for them. */
  readonly text: string | null;
  /** A deleted message keeps its place. */
  readonly deleted: { readonly at: string; readonly by: string } | null;
}

const isSameTopic = (one: TopicName, other: TopicName): boolean =>
  one.channelId === other.channelId && one.topic.toLowerCase() === other.topic.toLowerCase();

/**
 * The messages of a topic after these events of it, and of the topics from which messages came: in the order of the log, up to
 * the time that is looked at.
 */
export function topicThen(place: TopicName, events: readonly PastEvent[]): readonly PastMessage[] {
  const messages = new Map<number, PastMessage>();
  for (const event of events) apply(messages, event);
  return [...messages.values()].filter((message) => isSameTopic(message.place, place)).sort((a, b) => a.id - b.id);
}

function apply(messages: Map<number, PastMessage>, { kind, revision, time, actor, data }: PastEvent): void {
  const who = actor?.name ?? 'the server';
  if (kind === 'MessageSent') {
    const { channelId, topic } = data.recipient ?? {};
    if (channelId === undefined || topic === undefined) return;
    // The stream of all messages numbers them (docs/events.md).
    const id = revision + 1;
    const message = { id, place: { channelId, topic }, sender: who, sentAt: time, isEdited: false, deleted: null };
    messages.set(id, { ...message, text: data.content?.text ?? null });
    return;
  }
  if (kind === 'MessagesMoved') {
    const { from, to } = data;
    if (!from || !to) return;
    for (const message of messages.values())
      if (isSameTopic(message.place, from) && isMoved(data, message.id))
        messages.set(message.id, { ...message, place: to });
    return;
  }
  const message = messages.get(data.messageId ?? 0);
  if (!message) return;
  if (kind === 'MessageEdited')
    messages.set(message.id, { ...message, isEdited: true, text: data.content?.text ?? null });
  else if (kind === 'MessageDeleted')
    messages.set(message.id, { ...message, text: null, deleted: { at: time, by: who } });
}

/** Which messages of its topic a move takes along (`MessagesMoved` in docs/events.md). */
function isMoved({ propagateMode, anchorId = 0, reach = null }: PastData, id: number): boolean {
  if (propagateMode === 'change_one') return id === anchorId;
  if (propagateMode === 'change_later' && id < anchorId) return false;
  return reach === null || reach.some(([from, to]) => from <= id && (to === null || id <= to));
}

/** The topics whose messages have come to one of these, and are not among them. */
export function sourcesOf(known: readonly TopicName[], events: readonly PastEvent[]): readonly TopicName[] {
  const found: TopicName[] = [];
  for (const { kind, data } of events) {
    const { from, to } = data;
    if (kind !== 'MessagesMoved' || !from || !to || !known.some((one) => isSameTopic(one, to))) continue;
    if (![...known, ...found].some((one) => isSameTopic(one, from))) found.push(from);
  }
  return found;
}
