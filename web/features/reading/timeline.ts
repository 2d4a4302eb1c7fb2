import { type ReadonlySignal, signal } from '@preact/signals';
import { request } from '../../platform/api.js';
import type { ClientEvent } from '../../platform/client-events.js';
import { wordsOf } from '../../platform/deed.js';
import { type MessagePlace, narrowOf, nearOf } from '../../platform/places.js';
import { follow, myId } from '../../platform/store.js';
import { EMPTY, evolveTimeline, type Page, type Timeline, withNewer, withOlder } from './timeline-state.js';

const FIRST = 40;
/** Without a place in the middle. */
const FIRST_AT_END = 150;
const NEXT = 100;

export interface OpenTimeline {
  readonly state: ReadonlySignal<Timeline>;
  readonly problem: ReadonlySignal<string>;
  /** The message at which the place opens; 0: at the newest; null: not known yet. */
  readonly opensAt: ReadonlySignal<number | null>;
  older(): void;
  newer(): void;
  /** Loads anew, around a message or at the newest. */
  reload(around: number | 'newest' | 'first_unread'): void;
  close(): void;
}

/** @param lookedAt the message that a reload stays at; null: none */
export function openTimeline(
  place: MessagePlace,
  lookedAt: () => number | null,
  opensWith: 'first_unread' | 'newest' = 'first_unread',
): OpenTimeline {
  const state = signal(EMPTY);
  const problem = signal('');
  const opensAt = signal<number | null>(null);
  /** What happens while a page is under way: the page may be older than it. */
  let meanwhile: ClientEvent[] | null = null;
  /** A load that is overtaken by a reload has no effect. */
  let turn = 0;

  async function load(query: object, put: (page: Page & { readonly anchor: number }) => Timeline): Promise<void> {
    turn += 1;
    const mine = turn;
    meanwhile = [];
    problem.value = '';
    try {
      const narrow = narrowOf(place, myId.value);
      const page = await request<Page & { readonly anchor: number }>('GET', '/messages', {
        query: { narrow, apply_markdown: true, client_gravatar: false, allow_empty_topic_name: true, ...query },
      });
      if (mine !== turn) return;
      const events = meanwhile ?? [];
      meanwhile = null;
      state.value = events.reduce((timeline, event) => apply(timeline, event), put(page));
      if (state.value.isOutdated) reload(lookedAt() ?? 'newest');
    } catch (error) {
      if (mine !== turn) return;
      meanwhile = null;
      problem.value = wordsOf(error);
    }
  }

  const apply = (timeline: Timeline, event: ClientEvent) => evolveTimeline(timeline, event, place, myId.value);

  const reload: OpenTimeline['reload'] = (anchor) => {
    const before = anchor === 'newest' ? FIRST_AT_END : FIRST;
    void load({ anchor, num_before: before, num_after: FIRST }, (page) => {
      // A search need not find the message that it is to begin at.
      const at = anchor === 'newest' ? undefined : page.messages.find(({ id }) => id >= page.anchor);
      opensAt.value = at?.id ?? 0;
      return withNewer({ ...EMPTY, hasOldest: page.found_oldest }, page);
    });
  };

  const isBusy = () => meanwhile !== null || problem.value !== '';
  const end = follow({
    started: () => reload(lookedAt() ?? 'newest'),
    happened(event) {
      meanwhile?.push(event);
      state.value = apply(state.value, event);
      if (state.value.isOutdated && !meanwhile) reload(lookedAt() ?? 'newest');
    },
  });
  reload(nearOf(place) ?? opensWith);

  return {
    state,
    problem,
    opensAt,
    older() {
      const [first] = state.value.messages;
      if (!first || state.value.hasOldest || isBusy()) return;
      const query = { anchor: first.id, include_anchor: false, num_before: NEXT, num_after: 0 };
      void load(query, (page) => withOlder(state.value, page));
    },
    newer() {
      const last = state.value.messages.at(-1);
      if (state.value.hasNewest || isBusy()) return;
      if (!last) return reload('newest');
      const query = { anchor: last.id, include_anchor: false, num_before: 0, num_after: NEXT };
      void load(query, (page) => withNewer(state.value, page));
    },
    reload,
    close() {
      turn += 1;
      end();
    },
  };
}
