import { describe, expect, it } from '@jest/globals';
import {
  bodyOf,
  conversationOfDraft,
  evolveDrafts,
  isOfPlace,
  newestFirst,
  type StoredDrafts,
  stampOf,
  type WritingPlace,
} from '../../../../web/features/writing/stored-drafts.js';
import type { StoredDraft } from '../../../../web/platform/client-events.js';

const MY_ID = 7;
const TOPIC: WritingPlace = { kind: 'topic', channelId: 1, topic: 'First Light' };
const CHANNEL: WritingPlace = { kind: 'channel', channelId: 1 };
const ALONE: WritingPlace = { kind: 'direct', userIds: [] };
const WITH_TWO: WritingPlace = { kind: 'direct', userIds: [8, 9] };

const draft = (id: number, more: Partial<StoredDraft> = {}): StoredDraft => ({
  ...{ id, type: 'stream', to: [1], topic: 'first light', content: 'a comet', timestamp: id },
  ...more,
});
const drafts = (...some: readonly StoredDraft[]): StoredDrafts => new Map(some.map((one) => [one.id, one]));

describe('drafts that the server has', () => {
  it('change by events, which do no harm once more', () => {
    const events = [
      { id: 1, type: 'drafts', op: 'add', drafts: [draft(1), draft(2)] },
      { id: 2, type: 'drafts', op: 'update', draft: draft(1, { content: 'two comets', timestamp: 5 }) },
      { id: 3, type: 'drafts', op: 'remove', draft_id: 2 },
    ] as const;
    let all = drafts();
    for (const event of events) {
      all = evolveDrafts(all, event);
      expect(evolveDrafts(all, event)).toEqual(all);
    }
    expect([...all.values()]).toEqual([draft(1, { content: 'two comets', timestamp: 5 })]);
  });

  it('are listed by their last edit, and by id within a second', () => {
    const all = drafts(draft(1, { timestamp: 3 }), draft(2, { timestamp: 4 }), draft(3, { timestamp: 3 }));
    expect(newestFirst(all).map(({ id }) => id)).toEqual([2, 3, 1]);
  });

  it('are of the conversation that they are addressed to', () => {
    expect(isOfPlace(draft(1), TOPIC, MY_ID)).toBe(true);
    expect(isOfPlace(draft(1), CHANNEL, MY_ID)).toBe(true);
    expect(isOfPlace(draft(1, { to: [2] }), CHANNEL, MY_ID)).toBe(false);
    expect(isOfPlace(draft(1, { topic: 'second' }), TOPIC, MY_ID)).toBe(false);
    expect(isOfPlace(draft(1, { type: 'private', to: [9, MY_ID, 8], topic: '' }), WITH_TWO, MY_ID)).toBe(true);
    expect(isOfPlace(draft(1, { type: 'private', to: [MY_ID], topic: '' }), ALONE, MY_ID)).toBe(true);
  });

  it('are of no place while they are addressed to nobody', () => {
    const toNobody = draft(1, { type: '', to: [], topic: '' });
    expect(conversationOfDraft(toNobody, MY_ID)).toBeNull();
    for (const place of [TOPIC, CHANNEL, ALONE]) expect(isOfPlace(toNobody, place, MY_ID)).toBe(false);
  });
});

describe('what is written at a place', () => {
  it.each([
    [TOPIC, { type: 'stream', to: [1], topic: 'First Light' }],
    [CHANNEL, { type: 'stream', to: [1], topic: 'named' }],
    [WITH_TWO, { type: 'private', to: [8, 9], topic: '' }],
    [ALONE, { type: 'private', to: [MY_ID], topic: '' }],
  ])('is a draft for %j', (place, to) => {
    const body = bodyOf(place, { content: '\n\n  a comet \n', topic: ' named ' }, MY_ID);
    expect(body).toEqual({ ...to, content: '  a comet' });
  });

  it('is none without words', () => {
    expect(bodyOf(CHANNEL, { content: ' \n', topic: 'named' }, MY_ID)).toBeNull();
    expect(stampOf(CHANNEL, null)).toBe('');
  });

  it('is the same draft where the server writes the topic in another way', () => {
    const [mine, stored] = [draft(1, { topic: 'First Light ' }), draft(1)];
    for (const place of [TOPIC, CHANNEL]) expect(stampOf(place, mine)).toBe(stampOf(place, stored));
    expect(stampOf(CHANNEL, draft(1, { topic: 'second' }))).not.toBe(stampOf(CHANNEL, stored));
    expect(stampOf(TOPIC, draft(1, { content: 'two comets' }))).not.toBe(stampOf(TOPIC, stored));
  });
});
