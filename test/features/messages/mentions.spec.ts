import { describe, expect, it } from '@jest/globals';
import {
  type ContentFacts,
  type CrowdFacts,
  type NameFacts,
  NO_CONTENT_FACTS,
  PLAIN_SETTINGS,
} from '../../../src/features/markdown/content-facts.js';
import { contentOf } from '../../../src/features/messages/domain/message-content.js';
import { DomainError } from '../../../src/platform/kernel/deciding.js';

const users = [
  { id: 10, fullName: 'King Hamlet', isActive: true },
  { id: 11, fullName: 'Two <b>', isActive: true },
  { id: 12, fullName: 'Gone', isActive: false },
];
const groups = [
  { id: 20, name: 'support', isDeactivated: false, mayMention: true },
  { id: 21, name: 'retired', isDeactivated: true, mayMention: false },
  { id: 22, name: 'role:members', isDeactivated: false, mayMention: false },
];
const channels = [
  { id: 1, name: 'Denmark', newestIn: (topic: string) => (topic === 'food' ? 77 : null) },
  { id: 2, name: 'a & (b).c', newestIn: () => null },
];
const names: NameFacts = {
  user: (name) => users.find(({ fullName }) => fullName.toLowerCase() === name.toLowerCase()),
  userById: (id) => users.find((user) => user.id === id),
  group: (name) => groups.find((group) => group.name === name),
  files: new Map(),
  channel: (name) => channels.find((channel) => channel.name === name),
  settings: PLAIN_SETTINGS,
};
const crowd: CrowdFacts = { subscribers: 15, participantIds: [7, 3], mayMentionMany: false };
const inChannel: ContentFacts = { ...NO_CONTENT_FACTS, names, crowd };
const written = (text: string, facts: ContentFacts = inChannel) => contentOf(text, facts);

const hamlet = (shown = '@King Hamlet', silent = '') =>
  `<span class="user-mention${silent}" data-user-id="10">${shown}</span>`;
const silently = hamlet('King Hamlet', ' silent');
const everybody = (name: string) =>
  `<span class="user-mention channel-wildcard-mention" data-user-id="*">@${name}</span>`;

describe('Mentions in content', () => {
  it.each([
    ['a user', 'Hi @**King Hamlet**!', `<p>Hi ${hamlet()}!</p>`, { userIds: [10] }],
    ['a user in any case, shown in the case of the name', '@**king hamlet**', `<p>${hamlet()}</p>`, { userIds: [10] }],
    ['a user with an id', '@**King Hamlet|10**', `<p>${hamlet()}</p>`, { userIds: [10] }],
    ['a user by id alone', '@**|10**', `<p>${hamlet()}</p>`, { userIds: [10] }],
    ['a user silently', '@_**King Hamlet**', `<p>${silently}</p>`, undefined],
    ['a user silently with an id', '@_**King Hamlet|10**', `<p>${silently}</p>`, undefined],
    [
      'several users',
      '@**King Hamlet** and @**Two <b>**',
      `<p>${hamlet()} and <span class="user-mention" data-user-id="11">@Two &lt;b&gt;</span></p>`,
      { userIds: [10, 11] },
    ],
    [
      'a deactivated user',
      '@**Gone**',
      '<p><span class="user-mention silent" data-user-id="12">Gone</span></p>',
      undefined,
    ],
    ['a user within parentheses', '(@**King Hamlet**)', `<p>(${hamlet()})</p>`, { userIds: [10] }],
    [
      'a user within emphasis',
      '**so @_**King Hamlet** says**',
      `<p><strong>so ${silently} says</strong></p>`,
      undefined,
    ],
    ['an unknown user', '@**Nobody**', '<p>@<strong>Nobody</strong></p>', undefined],
    ['an id of another name', '@**Other|10**', '<p>@<strong>Other|10</strong></p>', undefined],
    ['an unknown id', '@**|99**', '<p>@<strong>|99</strong></p>', undefined],
    ['a user after a word', 'me@**King Hamlet**', '<p>me@<strong>King Hamlet</strong></p>', undefined],
    ['a user in code', '`@**King Hamlet**`', '<p><code>@**King Hamlet**</code></p>', undefined],
    [
      'a user in a code block',
      '```\n@**King Hamlet** @**all**\n```',
      '<div class="codehilite"><pre><span></span><code>@**King Hamlet** @**all**\n</code></pre></div>',
      undefined,
    ],
    ['a user in a quotation', '> @**King Hamlet**', `<blockquote>\n<p>${silently}</p>\n</blockquote>`, undefined],
    [
      'a user after a quotation',
      '> @**King Hamlet**\n\n@**King Hamlet**',
      `<blockquote>\n<p>${silently}</p>\n</blockquote>\n<p>${hamlet()}</p>`,
      { userIds: [10] },
    ],
    [
      'a group',
      '@*support*',
      '<p><span class="user-group-mention" data-user-group-id="20">@support</span></p>',
      { groupIds: [20] },
    ],
    [
      'a group, silently',
      '@_*support*',
      '<p><span class="user-group-mention silent" data-user-group-id="20">support</span></p>',
      undefined,
    ],
    [
      'a deactivated group',
      '@*retired*',
      '<p><span class="user-group-mention silent" data-user-group-id="21">retired</span></p>',
      undefined,
    ],
    [
      'a system group, silently',
      '@_*role:members*',
      '<p><span class="user-group-mention silent" data-user-group-id="22">role:members</span></p>',
      undefined,
    ],
    ['an unknown group', '@*none*', '<p>@<em>none</em></p>', undefined],
    ['all', '@**all**', `<p>${everybody('all')}</p>`, { wildcards: ['stream'] }],
    ['everyone', '@**everyone**', `<p>${everybody('everyone')}</p>`, { wildcards: ['stream'] }],
    ['channel', '@**channel**', `<p>${everybody('channel')}</p>`, { wildcards: ['stream'] }],
    ['stream', '@**stream**', `<p>${everybody('stream')}</p>`, { wildcards: ['stream'] }],
    [
      'topic',
      '@**topic**',
      '<p><span class="topic-mention">@topic</span></p>',
      { wildcards: ['topic'], participantIds: [3, 7] },
    ],
    [
      'all, silently',
      '@_**all** @_**topic**',
      '<p><span class="user-mention channel-wildcard-mention silent" data-user-id="*">all</span> <span class="topic-mention silent">topic</span></p>',
      undefined,
    ],
    [
      'a channel',
      'see #**Denmark**',
      '<p>see <a class="stream" data-stream-id="1" href="/#narrow/channel/1-Denmark">#Denmark</a></p>',
      undefined,
    ],
    [
      'a channel with special characters',
      '#**a & (b).c**',
      '<p><a class="stream" data-stream-id="2" href="/#narrow/channel/2-a-.26-.28b.29.2Ec">#a &amp; (b).c</a></p>',
      undefined,
    ],
    [
      'a topic',
      '#**Denmark>some <topic>**',
      '<p><a class="stream-topic" data-stream-id="1" href="/#narrow/channel/1-Denmark/topic/some.20.3Ctopic.3E">#Denmark &gt; some &lt;topic&gt;</a></p>',
      undefined,
    ],
    [
      'a topic that has messages',
      '#**Denmark>food**',
      '<p><a class="stream-topic" data-stream-id="1" href="/#narrow/channel/1-Denmark/topic/food/with/77">#Denmark &gt; food</a></p>',
      undefined,
    ],
    [
      'the empty topic',
      '#**Denmark>**',
      '<p><a class="stream-topic" data-stream-id="1" href="/#narrow/channel/1-Denmark/topic/">#Denmark &gt; <em>general chat</em></a></p>',
      undefined,
    ],
    [
      'a message',
      '#**Denmark>food@123**',
      '<p><a class="message-link" href="/#narrow/channel/1-Denmark/topic/food/near/123">#Denmark &gt; food @ 💬</a></p>',
      undefined,
    ],
    ['an unknown channel', '#**denmark**', '<p>#<strong>denmark</strong></p>', undefined],
    ['a channel in code', '`#**Denmark**`', '<p><code>#**Denmark**</code></p>', undefined],
    ['a channel within a link', '[#**Denmark**](/x)', '<p><a href="/x">#Denmark</a></p>', undefined],
  ])('%s', (_, text, rendered, mentions) => {
    const content = written(text);
    expect(content.rendered).toBe(rendered);
    expect(content.mentions).toEqual(mentions);
  });

  it('mention no user of an empty directory', () => {
    const content = written('@**King Hamlet** #**Denmark**', NO_CONTENT_FACTS);
    expect(content.rendered).toBe('<p>@<strong>King Hamlet</strong> #<strong>Denmark</strong></p>');
    expect('mentions' in content).toBe(false);
  });

  it('link to a topic with half a surrogate pair', () => {
    expect(written(`#**Denmark>${'\ud83d'}**`).rendered).toContain('/topic/.EF.BF.BD"');
  });
});

describe('Wildcard mentions', () => {
  const many: CrowdFacts = {
    subscribers: 16,
    participantIds: Array.from({ length: 16 }, (_, n) => n + 1),
    mayMentionMany: false,
  };
  /** Answers the content, or the code of the refusal. */
  const outcome = (text: string, facts: Partial<CrowdFacts> = {}): unknown => {
    try {
      return written(text, { ...inChannel, crowd: { ...many, ...facts } });
    } catch (error) {
      return error instanceof DomainError ? error.code : error;
    }
  };

  it('need permission in a channel of more than 15 subscribers', () => {
    expect(outcome('@**all**')).toBe('STREAM_WILDCARD_MENTION_NOT_ALLOWED');
    expect(outcome('@**all**', { subscribers: 15 })).toMatchObject({ mentions: { wildcards: ['stream'] } });
    expect(outcome('@**all**', { mayMentionMany: true })).toMatchObject({ mentions: { wildcards: ['stream'] } });
  });

  it('need permission in a topic of more than 15 participants', () => {
    expect(outcome('@**topic**')).toBe('TOPIC_WILDCARD_MENTION_NOT_ALLOWED');
    expect(outcome('@**topic**', { participantIds: [1] })).toMatchObject({ mentions: { participantIds: [1] } });
    expect(outcome('@**topic**', { mayMentionMany: true })).toMatchObject({ mentions: { wildcards: ['topic'] } });
  });

  it.each(['@_**all**', '`@**all**`', '> @**topic**', 'hello'])('are not in %s', (text) => {
    expect(outcome(text)).toMatchObject({ text });
  });

  it('need no permission in direct messages', () => {
    expect(written('@**all** @**topic**', { ...inChannel, crowd: null }).mentions).toEqual({
      wildcards: ['stream', 'topic'],
    });
  });

  it('of a group need the permission of the group', () => {
    expect(outcome('@*role:members*')).toBe('MAY_NOT_MENTION_GROUP');
    expect(outcome('@_*role:members* @*support*')).toMatchObject({ mentions: { groupIds: [20] } });
  });
});
