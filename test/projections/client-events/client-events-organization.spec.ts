import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type ClientEventDocument, positionOf } from '../../../projections/client-events/client-events.documents.js';
import { clientEvents } from '../../../projections/client-events/client-events.projection.js';
import type { OrganizationEvent } from '../../../src/events/organization/organization.events.js';
import type { Linkifier, Playground, ProfileField } from '../../../src/events/organization/organization.settings.js';
import { REALM_SETTINGS } from '../../../src/events/organization/realm.settings.js';
import type { OrganizationPictureEvent } from '../../../src/events/organization-pictures/organization-pictures.events.js';
import { SYSTEM_GROUP_IDS } from '../../../src/events/shared/group-setting.js';
import { ROLES, type Role } from '../../../src/events/shared/role.js';
import { UNMEASURED } from '../../../src/platform/kernel/event-definition.js';
import { history, type InHistory } from '../../support/events/history.js';
import { projected } from '../../support/projections/projected.js';

const inOrganization = (event: OrganizationEvent): InHistory => ['organization', event];
const created = inOrganization({ type: 'OrganizationCreated', data: { name: 'Observatory' } });

const CREATED_AT = 1_700_000_000_000;
const DAY = 86_400_000;

const userCreated = (userId: number, role: Role = ROLES.member): InHistory => [
  'users',
  {
    type: 'UserCreated',
    data: { userId, email: `u${userId}@x.org`, fullName: `U ${userId}`, role, passwordHash: null, channelIds: [] },
  },
  { at: CREATED_AT },
];
const deactivated = (userId: number): InHistory => ['users', { type: 'UserDeactivated', data: { userId } }];

/** The client events of the later events, which are all for everyone. */
async function toldAfter(before: readonly InHistory[], ...events: readonly InHistory[]) {
  const { events: documents = [] } = await projected(clientEvents, history(...before, ...events));
  return (documents as unknown as ClientEventDocument[])
    .filter(({ _id }) => positionOf(_id) > before.length)
    .map(({ kind, audience, payload, part }) => {
      expect([audience, part]).toEqual([{ everyone: true }, 'organization']);
      return [kind, payload];
    });
}

const told = (...events: OrganizationEvent[]) => toldAfter([created], ...events.map((event) => inOrganization(event)));

const set = (setting: string, from: unknown, to: unknown) =>
  ({ type: 'RealmSettingChanged', data: { setting, from, to } }) as OrganizationEvent;
const dict = (data: object) => ['realm/update_dict', { body: { property: 'default', data } }];

const field = (id: number, changes: Partial<ProfileField> = {}): ProfileField => ({
  id,
  name: `field ${id}`,
  hint: '',
  type: 1,
  fieldData: '',
  displayInProfileSummary: false,
  required: false,
  editableByUser: true,
  useForUserMatching: false,
  ...changes,
});
const linkifier = (id: number, changes: Partial<Linkifier> = {}): Linkifier => ({
  id,
  pattern: `p${id}`,
  urlTemplate: 'https://x.org/',
  exampleInput: null,
  reverseTemplate: null,
  alternativeUrlTemplates: [],
  ...changes,
});
const playground = (id: number): Playground => ({
  id,
  name: `play ${id}`,
  pygmentsLanguage: 'Rust',
  urlTemplate: 'https://x.org/{code}',
});

describe('client events of the organization', () => {
  it('do not exist for its creation, because there are no clients yet', async () => {
    expect(await told()).toEqual([]);
  });

  it('have each changed setting, also under its older names', async () => {
    expect(
      await told(
        set('name', 'Observatory', 'Planetarium'),
        set('message_content_edit_limit_seconds', 600, null),
        set('can_resolve_topics_group', 2, 5),
        set('topics_policy', 'allow_empty_topic', 'disable_empty_topic'),
        set('topics_policy', 'disable_empty_topic', 'allow_empty_topic'),
        set('message_edit_history_visibility_policy', 'all', 'moves'),
        set('message_edit_history_visibility_policy', 'moves', 'none'),
        set('message_retention_days', -1, 30),
      ),
    ).toEqual([
      dict({ name: 'Planetarium' }),
      dict({ message_content_edit_limit_seconds: null }),
      dict({ can_resolve_topics_group: 5 }),
      dict({ topics_policy: 'disable_empty_topic', mandatory_topics: true }),
      dict({ topics_policy: 'allow_empty_topic', mandatory_topics: false }),
      dict({ message_edit_history_visibility_policy: 'moves', allow_edit_history: true }),
      dict({ message_edit_history_visibility_policy: 'none', allow_edit_history: false }),
      ['realm/update', { body: { property: 'message_retention_days', value: 30 } }],
    ]);
  });

  it('have no setting that the published event does not know', () => {
    const published = JSON.parse(readFileSync(new URL('../../../published/events.json', import.meta.url), 'utf8'));
    const known = Object.keys(published['realm/update_dict'].properties.data.properties);
    const told = Object.entries(REALM_SETTINGS).filter(([, row]) => !row.isExtension && !row.clientEvent);
    expect(told.map(([name]) => name).filter((name) => !known.includes(name))).toEqual([]);
  });

  it('have a permission without deactivated users', async () => {
    const people = (...direct_members: number[]) => ({ direct_members, direct_subgroups: [7] });
    const before = [created, userCreated(2), userCreated(3), deactivated(3)];
    const event = inOrganization(set('can_resolve_topics_group', 2, people(2, 3)));
    expect(await toldAfter(before, event)).toEqual([dict({ can_resolve_topics_group: people(2) })]);
  });

  it('have the users who become full members, or cease to be, when the waiting period changes', async () => {
    const before = [created, userCreated(2), userCreated(3, ROLES.guest), userCreated(4), deactivated(4)];
    const twoDaysLater = { at: CREATED_AT + 2 * DAY };
    const period = (from: number, to: number): InHistory => [
      'organization',
      set('waiting_period_threshold', from, to),
      twoDaysLater,
    ];
    const fullMembers = { group_id: SYSTEM_GROUP_IDS['role:fullmembers'], user_ids: [2] };
    expect(await toldAfter(before, period(0, 3), period(3, 4), period(4, 2))).toEqual([
      dict({ waiting_period_threshold: 3 }),
      ['user_group/remove_members', { body: fullMembers }],
      dict({ waiting_period_threshold: 4 }),
      dict({ waiting_period_threshold: 2 }),
      ['user_group/add_members', { body: fullMembers }],
    ]);
  });

  it('have all profile fields as of the event', async () => {
    const events = await told(
      { type: 'ProfileFieldCreated', data: { field: field(1) } },
      { type: 'ProfileFieldCreated', data: { field: field(2, { displayInProfileSummary: true }) } },
      { type: 'ProfileFieldsReordered', data: { from: [1, 2], to: [2, 1] } },
      { type: 'ProfileFieldChanged', data: { from: field(1), to: field(1, { name: 'Renamed', required: true }) } },
      { type: 'ProfileFieldRemoved', data: { field: field(2, { displayInProfileSummary: true }) } },
    );
    const shown = (id: number, order: number, changes: object = {}) => ({
      ...{ id, name: `field ${id}`, type: 1, hint: '', field_data: '', order, required: false, editable_by_user: true },
      ...changes,
    });
    const second = { display_in_profile_summary: true };
    const renamed = { name: 'Renamed', required: true };
    expect(events).toEqual(
      [
        [shown(1, 1)],
        [shown(1, 1), shown(2, 2, second)],
        [shown(2, 1, second), shown(1, 2)],
        [shown(2, 1, second), shown(1, 2, renamed)],
        [shown(1, 1, renamed)],
      ].map((fields) => ['custom_profile_fields', { body: { fields } }]),
    );
  });

  it('have all linkifiers, for clients with the capability linkifier_url_template', async () => {
    const back = { exampleInput: 'p1', reverseTemplate: 'p1', alternativeUrlTemplates: ['https://y.org/'] };
    const events = await told(
      { type: 'LinkifierAdded', data: { linkifier: linkifier(1) } },
      { type: 'LinkifierAdded', data: { linkifier: linkifier(2) } },
      { type: 'LinkifiersReordered', data: { from: [1, 2], to: [2, 1] } },
      { type: 'LinkifierChanged', data: { from: linkifier(1), to: linkifier(1, back) } },
      { type: 'LinkifierRemoved', data: { linkifier: linkifier(2) } },
    );
    const shown = (id: number) => ({ id, pattern: `p${id}`, url_template: 'https://x.org/' });
    const whole = {
      ...shown(1),
      example_input: 'p1',
      reverse_template: 'p1',
      alternative_url_templates: ['https://y.org/'],
    };
    const without = { capability: 'linkifier_url_template', instead: null };
    expect(events).toEqual(
      [[shown(1)], [shown(1), shown(2)], [shown(2), shown(1)], [shown(2), whole], [whole]].map((realm_linkifiers) => [
        'realm_linkifiers',
        { body: { realm_linkifiers }, without },
      ]),
    );
  });

  it('have all playgrounds', async () => {
    const events = await told(
      { type: 'PlaygroundAdded', data: { playground: playground(1) } },
      { type: 'PlaygroundAdded', data: { playground: playground(2) } },
      { type: 'PlaygroundRemoved', data: { playground: playground(1) } },
    );
    const shown = (id: number) => ({
      id,
      name: `play ${id}`,
      pygments_language: 'Rust',
      url_template: 'https://x.org/{code}',
    });
    expect(events).toEqual(
      [[shown(1)], [shown(1), shown(2)], [shown(2)]].map((realm_playgrounds) => [
        'realm_playgrounds',
        { body: { realm_playgrounds } },
      ]),
    );
  });

  it('have an icon or a logo that was uploaded or removed, and no other', async () => {
    const of = (event: OrganizationPictureEvent): InHistory => ['organizationPictures', event];
    const version = 2;
    const file = (fileId: string) => ({ fileId, measure: UNMEASURED, previousFileId: null });
    const events = await toldAfter(
      [created],
      of({ type: 'OrganizationPictureChanged', data: { picture: 'icon', version, ...file('i') } }),
      of({ type: 'OrganizationPictureChanged', data: { picture: 'nightLogo', version, ...file('n') } }),
      of({ type: 'OrganizationPictureRemoved', data: { picture: 'nightLogo', version: 3, previousFileId: 'n' } }),
      of({ type: 'OrganizationPictureChanged', data: { picture: 'logo', version, ...file('l') } }),
    );
    const path = '/user_avatars/1/realm';
    const property = (name: string, data: object) => ['realm/update_dict', { body: { property: name, data } }];
    expect(events).toEqual([
      property('icon', { icon_url: `${path}/icon/i.png?version=2`, icon_source: 'U' }),
      property('night_logo', { night_logo_url: `${path}/nightLogo/n.png?version=2`, night_logo_source: 'U' }),
      property('night_logo', { night_logo_url: '/static/images/logo/default-night.svg', night_logo_source: 'D' }),
      property('logo', { logo_url: `${path}/logo/l.png?version=2`, logo_source: 'U' }),
    ]);
  });
});
