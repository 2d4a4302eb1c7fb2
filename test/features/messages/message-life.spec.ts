import { describe, expect, it } from '@jest/globals';
import type { MessageDeleted, MessageEdited, MessageEvent } from '../../../src/events/messages/message.events.js';
import type { MessageSent } from '../../../src/events/messages/messages.events.js';
import { NO_CONTENT_FACTS } from '../../../src/features/markdown/content-facts.js';
import {
  DeleteMessage,
  type DeleteMessageFacts,
  decideDeleteMessage,
} from '../../../src/features/messages/domain/delete-message.js';
import {
  decideEditMessage,
  EditMessage,
  type EditMessageFacts,
} from '../../../src/features/messages/domain/edit-message.js';
import { asSent, messageDecider } from '../../../src/features/messages/domain/message.state.js';
import { contentOf } from '../../../src/features/messages/domain/message-content.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import { sha256Of } from '../../../src/platform/kernel/sha256.js';
import { given } from '../../support/events/given.js';
import { history } from '../../support/events/history.js';

const by = { actorId: 3, client: 'test', correlationId: 'c' };
const place = { type: 'channel', channelId: 5, topic: 'lunch' } as const;
const sent: MessageSent = {
  type: 'MessageSent',
  data: {
    senderId: 3,
    recipient: place,
    readBySender: true,
    localEcho: null,
    sendKey: null,
    content: contentOf('first words', NO_CONTENT_FACTS),
  },
};
const [origin] = history(['messages', sent]) as Recorded<MessageSent>[];
const KEY = origin?.id as string;
const SENT_AT = origin?.metadata.at as number;
/** Begins with a message of user 3 with the content "first words". */
const having = (...events: MessageEvent[]) =>
  given({ ...messageDecider, initialState: asSent(origin as Recorded<MessageSent>) }, events);
const edited = (text: string, revision = 1, before = 'first words'): MessageEdited => ({
  type: 'MessageEdited',
  data: {
    messageId: 1,
    place,
    previousContentRevision: revision - 1,
    contentRevision: revision,
    content: { ...contentOf(text, NO_CONTENT_FACTS), previousSha256: sha256Of(before) },
  },
});
const deleted: MessageDeleted = { type: 'MessageDeleted', data: { messageId: 1, senderId: 3, place, keyId: KEY } };

describe('editing the content', () => {
  const edit = (changes: Partial<EditMessage['edit']> = {}, editorId = 3) =>
    new EditMessage({
      messageId: 1,
      edit: { content: 'other words', prevContentSha256: null, propagateMode: 'change_one', moves: false, ...changes },
      editorId,
      by,
    });
  const facts = (changes: Partial<EditMessageFacts> = {}): EditMessageFacts => ({
    now: SENT_AT + 1000,
    place,
    isEditingAllowed: true,
    limitSeconds: 600,
    content: NO_CONTENT_FACTS,
    ...changes,
  });

  it('replaces the content, rendered by the present rules', () => {
    having()
      .when(decideEditMessage, edit(), facts())
      .then([edited('other words')]);
  });

  it('needs the same permission for wildcard mentions as sending', () => {
    const crowd = { subscribers: 16, participantIds: Array.from({ length: 16 }, (_, n) => n), mayMentionMany: false };
    const content = { ...NO_CONTENT_FACTS, crowd };
    for (const [words, code] of [
      ['@**all**', 'STREAM_WILDCARD_MENTION_NOT_ALLOWED'],
      ['@**topic**', 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED'],
    ] as const)
      having()
        .when(decideEditMessage, edit({ content: words }), facts({ content }))
        .thenRefuses(code);
  });

  it('counts the revisions, and has the hash of the replaced content', () => {
    having(edited('second'))
      .when(decideEditMessage, edit(), facts())
      .then([edited('other words', 2, 'second')]);
  });

  it('does nothing for the same content, apart from white space at its end', () => {
    having()
      .when(decideEditMessage, edit({ content: 'first words \n' }), facts())
      .thenNothing();
    having(edited('second'))
      .when(decideEditMessage, edit({ content: 'second' }), facts())
      .thenNothing();
  });

  it.each(['', '  \n'])('stores (deleted) for the content %j', (content) => {
    having()
      .when(decideEditMessage, edit({ content }), facts())
      .then([edited('(deleted)')]);
  });

  it('is refused if another edit came first', () => {
    const seen = edit({ prevContentSha256: sha256Of('first words') });
    having()
      .when(decideEditMessage, seen, facts())
      .then([edited('other words')]);
    having(edited('second')).when(decideEditMessage, seen, facts()).thenRefuses('MESSAGE_EDITED_MEANWHILE');
  });

  it('accepts the hash in upper case', () => {
    const seen = edit({ prevContentSha256: sha256Of('first words').toUpperCase() });
    having()
      .when(decideEditMessage, seen, facts())
      .then([edited('other words')]);
  });

  it('is allowed to the sender alone, while editing is allowed', () => {
    having().when(decideEditMessage, edit({}, 4), facts()).thenRefuses('MAY_NOT_EDIT_MESSAGE');
    having()
      .when(decideEditMessage, edit(), facts({ isEditingAllowed: false }))
      .thenRefuses('EDITING_TURNED_OFF');
  });

  it('is refused after the limit and 20 seconds of grace', () => {
    const at = (seconds: number, limitSeconds: number | null = 600) =>
      facts({ now: SENT_AT + seconds * 1000, limitSeconds });
    having()
      .when(decideEditMessage, edit(), at(620))
      .then([edited('other words')]);
    having().when(decideEditMessage, edit(), at(621)).thenRefuses('MESSAGE_EDIT_TOO_LATE');
    having()
      .when(decideEditMessage, edit(), at(1e6, null))
      .then([edited('other words')]);
  });

  it.each([
    ['a request without a change', { content: null }, 'NOTHING_TO_EDIT'],
    ['a propagate mode without a new topic', { propagateMode: 'change_all' }, 'PROPAGATE_WITHOUT_TOPIC'],
    ['null bytes', { content: 'a\0b' }, 'MESSAGE_HAS_NULL_BYTES'],
  ] as const)('is refused for %s', (_, changes, code) => {
    having().when(decideEditMessage, edit(changes), facts()).thenRefuses(code);
  });

  it('shortens content that is too long', () => {
    const cut = `${'x'.repeat(9_980)}\n[message truncated]`;
    expect(cut).toHaveLength(10_000);
    having()
      .when(decideEditMessage, edit({ content: 'x'.repeat(10_001) }), facts())
      .then([edited(cut)]);
  });

  it('is refused for a deleted or unknown message, or one without its key', () => {
    having(deleted).when(decideEditMessage, edit(), facts()).thenRefuses('INVALID_MESSAGE');
    given(messageDecider, []).when(decideEditMessage, edit(), facts()).thenRefuses('INVALID_MESSAGE');
    const gone: MessageEdited = { ...edited('x'), data: { ...edited('x').data, content: null } };
    having(gone).when(decideEditMessage, edit(), facts()).thenRefuses('INVALID_MESSAGE');
  });

  it('is refused if all revisions of a message together become too long', () => {
    const long = (revision: number) => edited(`${revision} ${'w'.repeat(9_990)}`, revision);
    const often = (times: number) => Array.from({ length: times }, (_, at) => long(at + 1));
    const content = 'x'.repeat(10_000);
    having(...often(97))
      .when(decideEditMessage, edit({ content }), facts())
      .then([edited(content, 98, long(97).data.content?.text)]);
    having(...often(99))
      .when(decideEditMessage, edit({ content }), facts())
      .thenRefuses('MESSAGE_EDITED_TOO_OFTEN');
    having(...often(99))
      .when(decideEditMessage, edit({ content: long(99).data.content?.text ?? '' }), facts())
      .thenNothing();
  });

  it('keeps no content in the state', () => {
    expect(JSON.stringify(having(edited('second')).state)).not.toMatch(/words|second/);
  });
});

describe('deleting', () => {
  const facts = (changes: Partial<DeleteMessageFacts> = {}): DeleteMessageFacts => ({
    now: SENT_AT + 1000,
    place,
    mayDeleteAny: false,
    mayDeleteOwn: true,
    ownSenderIds: new Set([3]),
    limitSeconds: 600,
    ...changes,
  });
  const command = new DeleteMessage({ messageId: 1, by });

  it('names the key of the content', () => {
    having(edited('second')).when(decideDeleteMessage, command, facts()).then([deleted]);
  });

  it('is allowed at any age to users who may delete any message', () => {
    const any = facts({ mayDeleteAny: true, mayDeleteOwn: false, ownSenderIds: new Set(), now: SENT_AT + 1e9 });
    having().when(decideDeleteMessage, command, any).then([deleted]);
  });

  it('is allowed to the sender or the owner of the sending bot, if they may delete their own messages', () => {
    having()
      .when(decideDeleteMessage, command, facts({ ownSenderIds: new Set([9, 3]) }))
      .then([deleted]);
    having()
      .when(decideDeleteMessage, command, facts({ ownSenderIds: new Set([9]) }))
      .thenRefuses('MAY_NOT_DELETE_MESSAGE');
    having()
      .when(decideDeleteMessage, command, facts({ mayDeleteOwn: false }))
      .thenRefuses('MAY_NOT_DELETE_MESSAGE');
  });

  it('is refused after the limit', () => {
    const at = (ms: number, limitSeconds: number | null = 600) => facts({ now: SENT_AT + ms, limitSeconds });
    having().when(decideDeleteMessage, command, at(600_000)).then([deleted]);
    having().when(decideDeleteMessage, command, at(600_001)).thenRefuses('MESSAGE_DELETE_TOO_LATE');
    having().when(decideDeleteMessage, command, at(1e12, null)).then([deleted]);
  });

  it('happens once', () => {
    having(deleted)
      .when(decideDeleteMessage, command, facts({ mayDeleteAny: true }))
      .thenRefuses('INVALID_MESSAGE');
  });
});
