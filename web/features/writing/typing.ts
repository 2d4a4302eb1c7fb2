import { signal } from '@preact/signals';
import { request } from '../../platform/api.js';
import type { TypingEvent } from '../../platform/client-events.js';
import { type Conversation, direct, keyOf, topic } from '../../platform/state/conversation.js';
import { follow, myId } from '../../platform/store.js';

/** Others are told again after this, as the API's clients do. */
const TOLD_EVERY_MS = 10_000;
/** Without a further key. */
const IDLE_MS = 5_000;
/** Whoever went away without a word is forgotten. */
const FORGOTTEN_MS = 15_000;

let told: { readonly to: Conversation; readonly at: number } | null = null;
let idle: ReturnType<typeof setTimeout> | undefined;

/** Something was written, or all of it taken away. */
export function wrote(to: Conversation, isEmpty: boolean): void {
  clearTimeout(idle);
  if (told && (isEmpty || keyOf(told.to) !== keyOf(to))) stopTyping();
  if (isEmpty) return;
  idle = setTimeout(stopTyping, IDLE_MS);
  if (told && performance.now() - told.at < TOLD_EVERY_MS) return;
  told = { to, at: performance.now() };
  tell('start', to);
}

export function stopTyping(): void {
  clearTimeout(idle);
  if (told) tell('stop', told.to);
  told = null;
}

/** Nobody is told to whom nobody would be writing. Whoever wants nobody told has a setting: the refusal is no news. */
function tell(op: 'start' | 'stop', to: Conversation): void {
  if (to.kind === 'direct' && to.userIds.length === 0) return;
  const where =
    to.kind === 'topic'
      ? { type: 'stream', stream_id: to.channelId, topic: to.topic }
      : { type: 'direct', to: to.userIds };
  request('POST', '/typing', { body: { op, ...where } }).catch(() => {});
}

/** Ids of those who are writing, by the key of the conversation. */
export const typists = signal<ReadonlyMap<string, readonly number[]>>(new Map());

const forgetting = new Map<string, ReturnType<typeof setTimeout>>();

/** @returns ends that */
export const followTyping = () =>
  follow({
    started() {
      typists.value = new Map();
    },
    happened(event) {
      if (event.type === 'typing') heard(event);
      // Whoever has sent it types no more.
      if (event.type === 'message') for (const key of typists.value.keys()) set(key, event.message.sender_id, false);
    },
  });

function heard({ op, sender, recipients = [], stream_id, topic: name }: TypingEvent): void {
  if (sender.user_id === myId.value) return;
  const ids = recipients.map(({ user_id }) => user_id);
  const key = keyOf(stream_id === undefined ? direct(ids, myId.value) : topic(stream_id, name ?? ''));
  set(key, sender.user_id, op === 'start');
}

function set(key: string, userId: number, isTyping: boolean): void {
  const timer = `${userId} ${key}`;
  clearTimeout(forgetting.get(timer));
  forgetting.delete(timer);
  const before = typists.value.get(key) ?? [];
  const others = before.filter((id) => id !== userId);
  if (isTyping)
    forgetting.set(
      timer,
      setTimeout(() => set(key, userId, false), FORGOTTEN_MS),
    );
  if (isTyping || others.length < before.length)
    typists.value = new Map(typists.value).set(key, isTyping ? [...others, userId] : others);
}
