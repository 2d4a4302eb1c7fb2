import { describe, expect, it } from '@jest/globals';
import type { MessageDocument } from '../../../projections/messages/messages.projection.js';
import type { UserRecord } from '../../../src/directory/directory.records.js';
import { mayRead } from '../../../src/directory/readable-messages.js';
import { ROLES } from '../../../src/events/shared/role.js';
import { messageFlags } from '../../../src/features/message-flags/queries/message-flags.js';
import { readableView } from '../../../src/features/messages/queries/reading/message-view.js';
import { EVERYTHING, type Narrow } from '../../../src/features/narrow/domain/narrow-resolve.js';
import { channelPermissions } from '../../support/events/events.js';
import { History, NONE_MOVED_IN, unflagged } from './messages-history.js';

/** The moments at which a channel's messages are sent, named by what the readers did before. */
const AGES = ['before', 'during', 'away', 'again'] as const;
type Age = (typeof AGES)[number];

const CHANNELS = {
  public: {},
  private: { inviteOnly: true, historyPublicToSubscribers: true },
  protected: { inviteOnly: true, historyPublicToSubscribers: false },
} as const;
type Kind = keyof typeof CHANNELS;

/**
 * Each channel gets one message at each age. The readers `stayed`, `left` and `returned` subscribe after `before`; `left`
 * and `returned` unsubscribe after `during`; `returned` subscribes again after `away`; `outside` never subscribes.
 */
function organization(role: UserRecord['role']) {
  const history = new History();
  const author = history.user();
  const readers = {
    stayed: history.user(role),
    left: history.user(role),
    returned: history.user(role),
    outside: history.user(role),
  };
  const sent = {} as Record<Kind, Record<Age, MessageDocument>>;
  for (const kind of Object.keys(CHANNELS) as Kind[]) {
    const channel = history.channel(CHANNELS[kind]);
    history.subscribe(channel, author);
    const before = history.post(author, channel);
    history.subscribe(channel, readers.stayed, readers.left, readers.returned);
    const during = history.post(author, channel);
    history.unsubscribe(channel, readers.left, readers.returned);
    const away = history.post(author, channel);
    history.subscribe(channel, readers.returned);
    const again = history.post(author, channel);
    sent[kind] = { before, during, away, again };
  }
  return { history, readers, sent };
}

const ALL_AGES: readonly Age[] = AGES;
type Reader = keyof ReturnType<typeof organization>['readers'];

/** The ages readable by id or in the channel's own narrow, and then the ages in the reader's own history. */
const rows: [UserRecord['role'], Reader, Kind, readonly Age[], readonly Age[]][] = [
  [ROLES.member, 'stayed', 'public', ALL_AGES, ['during', 'away', 'again']],
  [ROLES.member, 'left', 'public', ALL_AGES, ['during']],
  [ROLES.member, 'returned', 'public', ALL_AGES, ['during', 'again']],
  [ROLES.member, 'outside', 'public', ALL_AGES, []],
  [ROLES.member, 'stayed', 'private', ALL_AGES, ['during', 'away', 'again']],
  [ROLES.member, 'left', 'private', [], []],
  [ROLES.member, 'returned', 'private', ALL_AGES, ['during', 'again']],
  [ROLES.member, 'outside', 'private', [], []],
  [ROLES.member, 'stayed', 'protected', ['during', 'away', 'again'], ['during', 'away', 'again']],
  [ROLES.member, 'left', 'protected', [], []],
  [ROLES.member, 'returned', 'protected', ['during', 'again'], ['during', 'again']],
  [ROLES.member, 'outside', 'protected', [], []],
  [ROLES.guest, 'stayed', 'public', ALL_AGES, ['during', 'away', 'again']],
  [ROLES.guest, 'left', 'public', [], []],
  [ROLES.guest, 'returned', 'public', ALL_AGES, ['during', 'again']],
  [ROLES.guest, 'outside', 'public', [], []],
  [ROLES.guest, 'stayed', 'protected', ['during', 'away', 'again'], ['during', 'away', 'again']],
  [ROLES.guest, 'left', 'private', [], []],
  // Owners and administrators read no more than members.
  [ROLES.owner, 'outside', 'public', ALL_AGES, []],
  [ROLES.owner, 'outside', 'private', [], []],
  [ROLES.owner, 'outside', 'protected', [], []],
  [ROLES.administrator, 'left', 'private', [], []],
];

/** Messages from before the reader's last unsubscription are not unread, even after a new subscription. */
const unreadAges: Readonly<Record<keyof ReturnType<typeof organization>['readers'], readonly Age[]>> = {
  stayed: ALL_AGES,
  left: [],
  returned: ['again'],
  outside: [],
};

describe('access to messages of a channel', () => {
  it.each(rows)(
    'a user of role %i (%s) in a %s channel may read %j, of which %j are in the own history',
    (role, reader, kind, readable, own) => {
      const { history, readers, sent } = organization(role);
      const { directory } = history;
      const user = directory.user(readers[reader]._id) ?? readers[reader];
      const channelId = sent[kind].before.type === 'channel' ? sent[kind].before.channelId : 0;
      const agesIn = (narrow: Narrow): readonly Age[] =>
        AGES.filter((age) =>
          readableView(narrow, user, unflagged(user, directory), directory, NONE_MOVED_IN).includes(sent[kind][age]),
        );

      expect(AGES.filter((age) => mayRead(user, sent[kind][age], directory))).toEqual(readable);
      expect(agesIn({ required: [{ kind: 'channel', channelId }], excluded: [] })).toEqual(readable);
      expect(AGES.filter((age) => agesIn(byId(sent[kind][age])).includes(age))).toEqual(readable);
      expect(agesIn(EVERYTHING)).toEqual(own);
      expect(agesIn({ required: [{ kind: 'sender', userId: 1 }], excluded: [] })).toEqual(own);
      expect(agesIn({ required: [{ kind: 'topic', topicKey: 'topic' }], excluded: [] })).toEqual(own);
      for (const age of readable) {
        const isUnread = own.includes(age) && unreadAges[reader].includes(age);
        const flags = [...(isUnread ? [] : ['read']), ...(own.includes(age) ? [] : ['historical'])];
        expect(messageFlags(user, sent[kind][age], unflagged(user, directory), directory)).toEqual(flags);
      }
    },
  );
});

describe('a user with the permission to join a channel or to add subscribers', () => {
  it.each(['can_subscribe_group', 'can_add_subscribers_group'] as const)(
    'reads a private channel by %s, but none with protected history, and none as a guest',
    (permission) => {
      const history = new History();
      const author = history.user();
      const reader = history.user();
      const guest = history.user(ROLES.guest);
      const given = { direct_members: [reader._id, guest._id], direct_subgroups: [] };
      const permissions = channelPermissions({ [permission]: given });
      const [shared, hidden] = (['private', 'protected'] as const).map((kind) => {
        const channel = history.channel({ ...CHANNELS[kind], permissions });
        history.subscribe(channel, author);
        return history.post(author, channel);
      }) as [MessageDocument, MessageDocument];
      const { directory } = history;
      expect([reader, guest].map((user) => mayRead(user, shared, directory))).toEqual([true, false]);
      expect([reader, guest].map((user) => mayRead(user, hidden, directory))).toEqual([false, false]);
    },
  );
});

describe('a direct message', () => {
  const history = new History();
  const [anna, bert, carl] = [history.user(), history.user(ROLES.guest), history.user(ROLES.owner)];
  const message = history.whisper(anna, [bert]);
  const note = history.whisper(anna, [], { readBySender: true });

  it('is readable for the participants of the conversation only', () => {
    const { directory } = history;
    expect([anna, bert, carl].map((user) => mayRead(user, message, directory))).toEqual([true, true, false]);
    expect(
      [anna, bert, carl].map((user) =>
        readableView(EVERYTHING, user, unflagged(user, directory), directory, NONE_MOVED_IN).includes(message),
      ),
    ).toEqual([true, true, false]);
    expect([anna, bert].map((user) => mayRead(user, note, directory))).toEqual([true, false]);
  });

  it('that its sender sent as read is read for the sender alone', () => {
    expect(messageFlags(anna, note, unflagged(anna, history.directory), history.directory)).toEqual(['read']);
    expect(messageFlags(anna, message, unflagged(anna, history.directory), history.directory)).toEqual([]);
    const loud = history.whisper(anna, [bert], { readBySender: true });
    expect(messageFlags(bert, loud, unflagged(bert, history.directory), history.directory)).toEqual([]);
  });

  it('is readable for nobody after its content is gone', () => {
    const gone = history.whisper(anna, [bert], { content: null });
    expect([anna, bert].map((user) => mayRead(user, gone, history.directory))).toEqual([false, false]);
  });
});

function byId(message: MessageDocument): Narrow {
  return { required: [{ kind: 'id', messageId: message._id }], excluded: [] };
}
