import { describe, expect, it } from '@jest/globals';
import { type ClientEventDocument, positionOf } from '../../../projections/client-events/client-events.documents.js';
import { clientEvents } from '../../../projections/client-events/client-events.projection.js';
import { ROLES, type Role } from '../../../src/events/shared/role.js';
import type { UserEvent } from '../../../src/events/users/users.events.js';
import { UNMEASURED } from '../../../src/platform/kernel/event-definition.js';
import { history, type InHistory } from '../../support/events/history.js';
import { botCreated, userCreated } from '../../support/events/users.js';
import { projected } from '../../support/projections/projected.js';

const EVERYONE = { everyone: true };
const ADMINISTRATORS = [ROLES.owner, ROLES.administrator];
const KEEPERS = { roles: ADMINISTRATORS, userIds: [2] };

const of = (event: UserEvent): InHistory => ['users', event];
const role = (userId: number, from: Role, to: Role): InHistory =>
  of({ type: 'UserRoleChanged', data: { userId, from, to } });
const ended = (userId: number): InHistory =>
  of({ type: 'UserDeactivated', data: { userId, notice: { comment: 'bye' } } });
const back = (userId: number): InHistory => of({ type: 'UserReactivated', data: { userId } });

/** An organization of three users, and a bot that the second owns. */
const people: InHistory[] = [
  ['organization', { type: 'OrganizationCreated', data: { name: 'Annals' } }],
  of(userCreated(1, { role: ROLES.owner })),
  of(userCreated(2)),
  of(userCreated(3)),
  of(botCreated(4, 2)),
];

/** The client events of the last event, without those of groups. */
async function told(...entries: InHistory[]) {
  const { events } = await projected(clientEvents, history(...people, ...entries));
  const last = people.length + entries.length;
  return (events as unknown as ClientEventDocument[])
    .filter(({ _id, kind }) => positionOf(_id) === last && !kind.startsWith('user_group/'))
    .map(({ kind, audience, payload }) => [kind, audience, 'body' in payload ? payload.body : payload]);
}

describe('client events of accounts', () => {
  it('show a new bot to everybody, its settings to its owner and to administrators, and its key to nobody', async () => {
    const events = await told(of(botCreated(5, 2, { botType: 2, keyHash: 'secret' })));
    const bot = { type: 2, ownerId: 2 };
    expect(events).toEqual([
      [
        'realm_user/add',
        EVERYONE,
        { user: { _id: 5, email: 'bot5-bot@example.com', fullName: 'Bot 5', role: 400, bot } },
      ],
      [
        'realm_bot/add',
        KEEPERS,
        { bot: { _id: 5, email: 'bot5-bot@example.com', fullName: 'Bot 5', bot, isActive: true } },
      ],
    ]);
    expect(JSON.stringify(events)).not.toContain('secret');
  });

  it('have the new name of a person and of a bot', async () => {
    const renamed = (userId: number) => of({ type: 'UserRenamed', data: { userId, from: 'x', to: 'New' } });
    const person = (user_id: number) => ['realm_user/update', EVERYONE, { person: { user_id, full_name: 'New' } }];
    expect(await told(renamed(2))).toEqual([person(2)]);
    expect(await told(renamed(4))).toEqual([
      person(4),
      ['realm_bot/update', KEEPERS, { bot: { user_id: 4, full_name: 'New' } }],
    ]);
  });

  it('have a new address as delivery address and as address, with the avatar that follows from it', async () => {
    const to = 'n@example.com';
    expect(await told(of({ type: 'UserEmailChanged', data: { userId: 2, from: 'x', to } }))).toEqual([
      ['realm_user/update', EVERYONE, { person: { user_id: 2, delivery_email: to } }],
      ['realm_user/update', EVERYONE, { person: { user_id: 2, new_email: to } }],
      ['realm_user/avatar', EVERYONE, { userId: 2, email: to }],
    ]);
  });

  it('have an uploaded avatar, which stays when the address changes', async () => {
    const files = { fileId: 'a', mediumFileId: 'b' };
    const avatar = { version: 2, files };
    const bytes = { measure: UNMEASURED, mediumMeasure: UNMEASURED };
    const previous = { previousFileId: null, previousMediumFileId: null };
    const change = (userId: number): InHistory => [
      `avatar-${userId}`,
      { type: 'AvatarChanged', data: { userId, version: 2, ...files, ...bytes, ...previous } },
    ];
    const told2 = ['realm_user/avatar', EVERYONE, { userId: 2, email: 'user2@example.com', avatar }];
    expect(await told(change(2))).toEqual([told2]);
    expect((await told(change(4))).slice(1)).toEqual([
      ['realm_bot/update', KEEPERS, { bot: { user_id: 4, avatar_url: '/user_avatars/1/4/a.png?v=2' } }],
    ]);
    const to = 'n@example.com';
    const moved = await told(change(2), of({ type: 'UserEmailChanged', data: { userId: 2, from: 'x', to } }));
    expect(moved.at(-1)).toEqual(['realm_user/avatar', EVERYONE, { userId: 2, email: to, avatar }]);
  });

  it('have a changed profile field, also when it is emptied', async () => {
    const said = async (to: string | null, rendered: string | null) => {
      const event = of({ type: 'UserProfileChanged', data: { userId: 2, fieldId: 8, from: 'x', to, rendered } });
      const [[kind, audience, body] = [], ...more] = await told(event);
      expect([kind, audience, more]).toEqual(['realm_user/update', EVERYONE, []]);
      return body;
    };
    const person = (custom_profile_field: object) => ({ person: { user_id: 2, custom_profile_field } });
    expect(await said('they', null)).toEqual(person({ id: 8, value: 'they' }));
    expect(await said('*a*', '<p><em>a</em></p>')).toEqual(
      person({ id: 8, value: '*a*', rendered_value: '<p><em>a</em></p>' }),
    );
    expect(await said(null, null)).toEqual(person({ id: 8, value: null }));
  });

  it('have a new role for everybody, and what it makes appear or disappear for its user', async () => {
    const own = { userIds: [3] };
    const update = (to: Role) => ['realm_user/update', EVERYONE, { person: { user_id: 3, role: to } }];
    const gained = ['stream/gained', own, {}];
    const peers = ['subscription/gained', own, {}];
    const lost = ['stream/lost', own, {}];
    expect(await told(role(3, 400, 300))).toEqual([gained, update(300), peers, lost]);
    expect(await told(role(3, 400, 200))).toEqual([
      gained,
      update(200),
      ['realm_bot/add', own, { bot: expect.objectContaining({ _id: 4, isActive: true }) }],
      peers,
      lost,
    ]);
    expect(await told(role(3, 400, 200), role(3, 200, 400))).toEqual([
      gained,
      update(400),
      ['realm_bot/delete', own, { bot: { user_id: 4 } }],
      peers,
      lost,
    ]);
    expect(await told(role(3, 400, 200), role(3, 200, 100))).toEqual([gained, update(100), peers, lost]);
    expect(
      await told(['organization', { type: 'DefaultChannelAdded', data: { channelId: 7 } }], role(3, 400, 600)),
    ).toEqual([
      gained,
      update(600),
      ['default_streams', own, { default_streams: [] }],
      peers,
      lost,
      ['update_message_flags/lost', own, {}],
    ]);
    expect(
      await told(
        ['organization', { type: 'DefaultChannelAdded', data: { channelId: 7 } }],
        role(3, 400, 600),
        role(3, 600, 400),
      ),
    ).toContainEqual(['default_streams', own, { default_streams: [7] }]);
  });

  it('do not repeat the own bots to a user whose role changes', async () => {
    const kinds = async (...entries: InHistory[]) => (await told(...entries)).map(([kind]) => kind);
    expect(await kinds(role(2, 400, 200))).not.toContain('realm_bot/add');
    expect(await kinds(role(2, 400, 200), role(2, 200, 400))).not.toContain('realm_bot/delete');
  });

  it('have a new bot owner for the old owner, the new owner and administrators', async () => {
    const only = (id: number) => ({ userIds: [id], except: { roles: ADMINISTRATORS } });
    expect(await told(of({ type: 'BotOwnerChanged', data: { userId: 4, from: 2, to: 3 } }))).toEqual([
      ['realm_user/update', EVERYONE, { person: { user_id: 4, bot_owner_id: 3 } }],
      ['realm_bot/update', { roles: ADMINISTRATORS }, { bot: { user_id: 4, owner_id: 3 } }],
      ['realm_bot/delete', only(2), { bot: { user_id: 4 } }],
      ['realm_bot/add', only(3), { bot: expect.objectContaining({ _id: 4, bot: { type: 1, ownerId: 3 } }) }],
    ]);
  });

  it('have a deactivation after the channels that the account leaves, without the notice to the user', async () => {
    const person = (user_id: number) => ['realm_user/update', EVERYONE, { person: { user_id, is_active: false } }];
    expect(await told(ended(2))).toEqual([['subscription/gone', EVERYONE, { userId: 2 }], person(2)]);
    expect(await told(ended(4))).toEqual([
      ['subscription/gone', EVERYONE, { userId: 4 }],
      person(4),
      ['realm_bot/update', KEEPERS, { bot: { user_id: 4, is_active: false } }],
    ]);
    expect(JSON.stringify(await told(ended(2)))).not.toContain('bye');
  });

  it('have a reactivation before the channels that the account returns to', async () => {
    expect(await told(ended(4), back(4))).toEqual([
      ['realm_user/update', EVERYONE, { person: { user_id: 4, is_active: true } }],
      ['realm_bot/update', KEEPERS, { bot: { user_id: 4, is_active: true } }],
      ['subscription/back', EVERYONE, { userId: 4 }],
    ]);
  });

  it('do not exist for keys, passwords and permissions granted to one user', async () => {
    for (const event of [
      { type: 'ApiKeyIssued', data: { userId: 2, keyHash: 'k' } },
      { type: 'ApiKeysRegenerated', data: { userId: 4, keyHash: 'k' } },
      { type: 'PasswordChanged', data: { userId: 2, passwordHash: 'h' } },
      { type: 'PermissionGranted', data: { userId: 2, permission: 'can_create_users' } },
      { type: 'PermissionRevoked', data: { userId: 2, permission: 'can_create_users' } },
    ] satisfies UserEvent[])
      expect(await told(of(event))).toEqual([]);
  });

  it('have distinct ids under each event', async () => {
    const many = Array.from({ length: 40 }, (_, at) => of(botCreated(10 + at, 2)));
    const { events } = await projected(clientEvents, history(...people, ...many, role(3, 400, 200), ended(3), back(3)));
    const ids = events?.map(({ _id }) => _id) ?? [];
    expect(new Set(ids).size).toBe(ids.length);
    const promoted = (events as unknown as ClientEventDocument[]).filter(
      ({ _id, kind }) => kind === 'realm_bot/add' && positionOf(_id) === people.length + many.length + 1,
    );
    expect(promoted).toHaveLength(41);
  });
});
