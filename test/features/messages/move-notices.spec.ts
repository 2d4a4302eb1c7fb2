import { describe, expect, it } from '@jest/globals';
import { NO_CONTENT_FACTS, NO_NAMES } from '../../../src/features/markdown/content-facts.js';
import { contentOf } from '../../../src/features/messages/domain/message-content.js';
import { moveNotices } from '../../../src/features/messages/domain/move-notices.js';
import { move } from '../../support/events/moves.js';

const names = {
  mover: { id: 7, fullName: 'Ada' },
  channelName: (id: number) => `channel ${id}`,
  isPrivate: (id: number) => id === 3,
};
const from = { channelId: 1, topic: 'tea' };
const to = { channelId: 2, topic: 'coffee' };

const said = (...[data]: Parameters<typeof moveNotices>[0][]) =>
  moveNotices(data as Parameters<typeof moveNotices>[0], names).map(({ place, text }) => [
    place.channelId,
    place.topic,
    text,
  ]);

describe('notices of a move', () => {
  it('tell the move of a whole topic in both places', () => {
    expect(said(move(from, to, { anchorId: 1 }))).toEqual([
      [1, 'tea', '@_**Ada|7** moved this topic to #**channel 2>coffee**.'],
      [2, 'coffee', '@_**Ada|7** moved this topic here from #**channel 1>tea**.'],
    ]);
  });

  it('tell how many messages of a topic moved', () => {
    const some = { anchorId: 1, propagateMode: 'change_later', isWholeTopic: false, messageCount: 3 } as const;
    expect(said(move(from, to, some))).toEqual([
      [1, 'tea', '@_**Ada|7** moved 3 messages from here to #**channel 2>coffee**.'],
      [2, 'coffee', '@_**Ada|7** moved 3 messages here from #**channel 1>tea**.'],
    ]);
    const one = { ...some, propagateMode: 'change_one', messageCount: 1 } as const;
    expect(said(move(from, to, one)).map(([, , text]) => text)).toEqual([
      '@_**Ada|7** moved a message from here to #**channel 2>coffee**.',
      '@_**Ada|7** moved a message here from #**channel 1>tea**.',
    ]);
  });

  it('do not reveal the name of a private channel in the other channel', () => {
    const hidden = { channelId: 3, topic: 'secret' };
    expect(said(move(from, hidden, { anchorId: 1 }))).toEqual([
      [1, 'tea', '@_**Ada|7** moved this topic to a private channel.'],
      [3, 'secret', '@_**Ada|7** moved this topic here from #**channel 1>tea**.'],
    ]);
    expect(said(move(hidden, to, { anchorId: 1 }))).toEqual([
      [3, 'secret', '@_**Ada|7** moved this topic to #**channel 2>coffee**.'],
      [2, 'coffee', '@_**Ada|7** moved this topic here from a private channel.'],
    ]);
    expect(said(move(hidden, { channelId: 3, topic: 'open' }, { anchorId: 1 })).map(([, , text]) => text)).toEqual([
      '@_**Ada|7** moved this topic to #**channel 3>open**.',
      '@_**Ada|7** moved this topic here from #**channel 3>secret**.',
    ]);
  });

  it('are in the requested places', () => {
    const asked = (oldThread: boolean, newThread: boolean) =>
      said(move(from, to, { anchorId: 1, notices: { oldThread, newThread } })).map(([channelId]) => channelId);
    expect(asked(true, false)).toEqual([1]);
    expect(asked(false, true)).toEqual([2]);
    expect(asked(false, false)).toEqual([]);
  });

  it('tell resolving and unresolving once and in the topic, even if not requested', () => {
    const resolved = { channelId: 1, topic: '✔ tea' };
    const none = { oldThread: false, newThread: false };
    expect(said(move(from, resolved, { anchorId: 1 }))).toEqual([
      [1, '✔ tea', '@_**Ada|7** marked this topic as resolved.'],
    ]);
    expect(said(move(resolved, from, { anchorId: 1, notices: none }))).toEqual([
      [1, 'tea', '@_**Ada|7** marked this topic as unresolved.'],
    ]);
  });

  it('tell a move if a resolved mark comes with another channel, another name or one message', () => {
    const texts = (...args: Parameters<typeof move>) => said(move(...args)).map(([, , text]) => text);
    expect(texts(from, { channelId: 2, topic: '✔ tea' }, { anchorId: 1 })).toHaveLength(2);
    expect(texts(from, { channelId: 1, topic: '✔ Tea' }, { anchorId: 1 })).toHaveLength(2);
    const one = { anchorId: 1, propagateMode: 'change_one', isWholeTopic: false } as const;
    expect(texts(from, { channelId: 1, topic: '✔ tea' }, one)).toHaveLength(2);
  });

  it('have one link and no mention, whatever the names of topics and channels are', () => {
    const rendered = (topic: string, channel = 'tea & cake') => {
      const called = { ...names, channelName: () => channel };
      const channelOf = (name: string) => ({ id: 1, name, newestIn: () => null });
      const facts = { ...NO_CONTENT_FACTS, names: { ...NO_NAMES, channel: channelOf } };
      const [notice] = moveNotices(move(from, { channelId: 2, topic }, { anchorId: 1 }), called);
      return contentOf(notice?.text ?? '', facts);
    };
    const odd = [
      'x** @**all** y',
      'x** #**secret',
      '](http://evil.example) [',
      '`a',
      '<b>',
      ':smile:',
      'tea@7',
      '\\',
      '',
    ];
    for (const topic of odd) {
      const { rendered: html, mentions } = rendered(topic);
      expect(mentions).toBeUndefined();
      expect(html.match(/<a /g)).toHaveLength(1);
      expect(html).not.toMatch(/\/near\/|href="http/);
      const text = html
        .replace(/<[^>]*>/g, '')
        .replaceAll('&gt;', '>')
        .replaceAll('&lt;', '<')
        .replaceAll('&amp;', '&');
      expect(text).toContain(`moved this topic to #tea & cake > ${topic === '' ? 'general chat' : topic}.`);
    }
    const { rendered: html, mentions } = rendered('tea', 'x** @**all** y');
    expect([html.match(/<a /g)?.length, mentions]).toEqual([1, undefined]);
  });
});
