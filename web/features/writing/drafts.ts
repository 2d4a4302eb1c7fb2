import { batch, effect, type Signal, signal } from '@preact/signals';
import { request } from '../../platform/api.js';
import type { ClientEvent, Registered, StoredDraft } from '../../platform/client-events.js';
import { connection } from '../../platform/connection.js';
import { wordsOf } from '../../platform/deed.js';
import { hrefOf } from '../../platform/places.js';
import { beforeSignOut, me } from '../../platform/session.js';
import { follow, longestMessage, myId } from '../../platform/store.js';
import { type Draft, emptyDraft } from './draft.js';
import {
  bodyOf,
  conversationOfDraft,
  evolveDrafts,
  initialDrafts,
  isOfPlace,
  newestFirst,
  type StoredDrafts,
  stampOf,
  type WritingPlace,
} from './stored-drafts.js';

/** After the last key. */
const CALM_MS = 2000;

/** What is written at a place, and what the server has of it. */
export interface Kept {
  readonly place: WritingPlace;
  readonly draft: Draft;
  /** Of the server's draft; null: it has none of this place. */
  readonly id: Signal<number | null>;
  /** Why the server does not have it; empty: it has, or will in a moment. */
  readonly problem: Signal<string>;
  /** The stamp of what the server has. */
  stored: string;
  /** Stamps of saves whose events may come yet, the oldest first: those tell nothing new. */
  saved: readonly string[];
  isSaving: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** Drafts as the server has them; none, if one's setting keeps drafts from it. */
export const storedDrafts = signal<StoredDrafts>(new Map());
export const isSynchronized = signal(false);
/** What was written at the places of this page, by their addresses. */
export const keptHere = signal<ReadonlyMap<string, Kept>>(new Map());

let ownerId = 0;

/** What is kept at a place; a draft of the server's that nothing here is made of yet. */
export function keptAt(place: WritingPlace): Kept {
  const known = keptHere.peek().get(hrefOf(place));
  if (known) return known;
  const kept: Kept = {
    ...{ place, draft: emptyDraft(), id: signal<number | null>(null), problem: signal('') },
    ...{ stored: '', saved: [], isSaving: false, timer: undefined },
  };
  keptHere.value = new Map(keptHere.peek()).set(hrefOf(place), kept);
  const found = newestFirst(storedDrafts.peek()).find((one) => isFor(kept, one));
  if (found) take(kept, found);
  effect(() => {
    kept.draft.content.value;
    kept.draft.topic.value;
    saveSoon(kept);
  });
  return kept;
}

/** Sends the server what it does not have. What fails is tried again after the next key, and with the next connection. */
export async function save(kept: Kept): Promise<void> {
  clearTimeout(kept.timer);
  if (kept.isSaving || !isSynchronized.peek() || !isNew(kept)) return;
  // Somebody else may be signed in by now.
  if (me.peek()?.userId !== ownerId) return;
  if (kept.draft.content.peek().length > longestMessage.peek()) {
    kept.problem.value = 'It is too long for one message.';
    return;
  }
  kept.isSaving = true;
  try {
    await store(kept);
    kept.problem.value = '';
    saveSoon(kept);
  } catch (error) {
    kept.problem.value = wordsOf(error);
  } finally {
    kept.isSaving = false;
  }
}

async function store(kept: Kept): Promise<void> {
  const draft = bodyNow(kept);
  const id = kept.id.peek();
  const stamp = stampOf(kept.place, draft);
  kept.saved = [...kept.saved, stamp];
  if (draft === null) {
    if (id !== null) await request('DELETE', `/drafts/${id}`, { outlivesPage: true });
    kept.id.value = null;
  } else if (id === null) {
    const body = { drafts: [draft] };
    const { ids } = await request<{ ids: readonly number[] }>('POST', '/drafts', { body, outlivesPage: true });
    kept.id.value = ids[0] ?? null;
  } else await request('PATCH', `/drafts/${id}`, { body: { draft }, outlivesPage: true });
  kept.stored = stamp;
}

/** Goes on with a draft at its place, after what was written there is stored. @throws Error if that cannot be */
export async function resume(stored: StoredDraft): Promise<WritingPlace | null> {
  const known = boundTo(stored.id);
  const place = known?.place ?? conversationOfDraft(stored, myId.peek());
  if (known || place === null) return place;
  const kept = keptAt(place);
  if (kept.id.peek() === stored.id) return place;
  await saved(kept);
  take(kept, stored);
  return place;
}

/** @throws Error if it cannot be deleted */
export async function discard(stored: StoredDraft): Promise<void> {
  const kept = boundTo(stored.id);
  if (!kept) return void (await request('DELETE', `/drafts/${stored.id}`));
  kept.draft.content.value = '';
  await saved(kept);
}

/** @throws Error if it cannot be saved */
async function saved(kept: Kept): Promise<void> {
  await save(kept);
  if (isNew(kept))
    throw new Error(kept.problem.peek() || 'What you wrote last is not stored yet. Try again in a moment.');
}

/** Keeps drafts here and on the server the same. */
export function followDrafts(): void {
  follow({ started, happened });
  effect(() => {
    if (connection.value === 'online') saveAll();
  });
  beforeSignOut(saveNow);
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) void saveNow();
  });
}

async function saveNow(): Promise<void> {
  await Promise.all([...keptHere.peek().values()].map(save));
}

function started(state: Registered): void {
  ownerId = state.user_id;
  isSynchronized.value = state.user_settings.enable_drafts_synchronization;
  storedDrafts.value = initialDrafts(state);
  for (const kept of keptHere.peek().values()) {
    const id = kept.id.peek();
    if (!isSynchronized.peek()) unbind(kept);
    else if (id !== null && !storedDrafts.peek().has(id)) release(kept);
  }
  for (const stored of newestFirst(storedDrafts.peek())) heard(stored);
  saveAll();
}

function happened(event: ClientEvent): void {
  if (event.type === 'user_settings' && event.property === 'enable_drafts_synchronization')
    synchronize(event.value === true);
  if (event.type !== 'drafts') return;
  storedDrafts.value = evolveDrafts(storedDrafts.peek(), event);
  if (event.op === 'remove') {
    const kept = boundTo(event.draft_id);
    if (kept) release(kept);
  } else for (const stored of event.op === 'add' ? event.drafts : [event.draft]) heard(stored);
}

/** The server deletes its drafts when they are no longer synchronized, and tells nothing of that; what is here stays. */
function synchronize(isOn: boolean): void {
  isSynchronized.value = isOn;
  if (!isOn) {
    storedDrafts.value = new Map();
    for (const kept of keptHere.peek().values()) unbind(kept);
  }
  saveAll();
}

/** The server has a draft, made here or elsewhere. */
function heard(stored: StoredDraft): void {
  const all = [...keptHere.peek().values()];
  const kept =
    boundTo(stored.id) ??
    all.find((one) => one.id.peek() === null && isOfPlace(stored, one.place, myId.peek()) && isOwn(one, stored)) ??
    all.find((one) => isFor(one, stored));
  if (!kept) return;
  if (isOwn(kept, stored)) {
    kept.id.value = stored.id;
    kept.saved = kept.saved.slice(kept.saved.indexOf(stampOf(kept.place, stored)));
  } else if (!isNew(kept) && isOfPlace(stored, kept.place, myId.peek())) take(kept, stored);
  // Two have written: both drafts remain.
  else release(kept);
}

/** Whether the draft is as it was saved here. */
const isOwn = ({ place, saved }: Kept, stored: StoredDraft): boolean => saved.includes(stampOf(place, stored));

function take(kept: Kept, stored: StoredDraft): void {
  batch(() => {
    kept.id.value = stored.id;
    kept.draft.content.value = stored.content;
    kept.draft.topic.value = stored.topic;
    kept.stored = stampOf(kept.place, bodyNow(kept));
    kept.saved = [];
  });
}

/** The server's draft is not, or no longer, what is here. What is new here becomes another one. */
function release(kept: Kept): void {
  const wasStored = !isNew(kept);
  unbind(kept);
  if (wasStored) kept.draft.content.value = '';
  saveSoon(kept);
}

function unbind(kept: Kept): void {
  kept.id.value = null;
  kept.stored = '';
  kept.saved = [];
}

function saveAll(): void {
  for (const kept of keptHere.peek().values()) saveSoon(kept);
}

function saveSoon(kept: Kept): void {
  clearTimeout(kept.timer);
  if (isSynchronized.peek() && isNew(kept)) kept.timer = setTimeout(() => void save(kept), CALM_MS);
}

const bodyNow = ({ place, draft }: Kept) =>
  bodyOf(place, { content: draft.content.peek(), topic: draft.topic.peek() }, myId.peek());

/** Whether the server does not have what is here. */
const isNew = (kept: Kept): boolean => stampOf(kept.place, bodyNow(kept)) !== kept.stored;

const boundTo = (id: number): Kept | undefined => [...keptHere.peek().values()].find((kept) => kept.id.peek() === id);

/** Whether a draft of the server's can be gone on with at a place: nothing is written there, or anywhere of the draft. */
const isFor = (kept: Kept, stored: StoredDraft): boolean =>
  kept.place.kind !== 'channel' &&
  kept.id.peek() === null &&
  !isNew(kept) &&
  boundTo(stored.id) === undefined &&
  isOfPlace(stored, kept.place, myId.peek());
