import { describe, expect, it } from '@jest/globals';
import type { OrganizationEvent } from '../../../src/events/organization/organization.events.js';
import type { ProfileField } from '../../../src/events/organization/organization.settings.js';
import { organization } from '../../../src/features/organization/domain/organization.js';
import {
  ChangeProfileField,
  CreateProfileField,
  decideChangeProfileField,
  decideCreateProfileField,
  decideRemoveProfileField,
  decideReorderProfileFields,
  type ProfileFieldDraft,
  RemoveProfileField,
  ReorderProfileFields,
} from '../../../src/features/organization/domain/profile-fields.js';
import { given } from '../../support/events/given.js';

const by = { actorId: 1, client: 'test', correlationId: 'c' };
const administrator = { mayAdminister: true };
const member = { mayAdminister: false };
const phone: ProfileFieldDraft = {
  name: 'Phone',
  hint: 'With the area',
  type: 1,
  data: {},
  displayInProfileSummary: false,
  required: false,
  editableByUser: true,
  useForUserMatching: false,
};
const stored = (id: number, changes: Partial<ProfileField> = {}): ProfileField => {
  const { data: _none, ...rest } = phone;
  return { id, ...rest, fieldData: '', ...changes };
};
const created = (id: number, changes: Partial<ProfileField> = {}): OrganizationEvent => ({
  type: 'ProfileFieldCreated',
  data: { field: stored(id, changes) },
});
const observatory = (...history: OrganizationEvent[]) =>
  given(organization, [{ type: 'OrganizationCreated', data: { name: 'Observatory' } }, ...history]);
const create = (changes: Partial<ProfileFieldDraft> = {}) =>
  new CreateProfileField({ field: { ...phone, ...changes }, by });
const change = (fieldId: number, changes: ChangeProfileField['changes']) =>
  new ChangeProfileField({ fieldId, changes, by });
const editors = { 0: { text: 'Vim', order: '1' }, 1: { text: 'Emacs', order: '2' } };
const custom = { subtype: 'custom', url_pattern: 'https://example.org/%(username)s' };

describe('profile fields', () => {
  it('are created', () => {
    observatory()
      .when(decideCreateProfileField, create({ name: ' Phone ' }), administrator)
      .then([created(1)]);
  });

  it('never reuse an id', () => {
    observatory(created(1), { type: 'ProfileFieldRemoved', data: { field: stored(1) } })
      .when(decideCreateProfileField, create(), administrator)
      .then([created(2)]);
  });

  it.each([1, 2, 4, 5, 6, 8])('of type %i need and store no data', (type) => {
    observatory()
      .when(decideCreateProfileField, create({ type, data: { what: 'ever' } }), administrator)
      .then([created(1, { type })]);
  });

  it('store their choices or the URL pattern of an account', () => {
    observatory()
      .when(decideCreateProfileField, create({ type: 3, data: editors }), administrator)
      .then([created(1, { type: 3, fieldData: JSON.stringify(editors) })]);
    observatory()
      .when(decideCreateProfileField, create({ type: 7, data: custom }), administrator)
      .then([created(1, { type: 7, fieldData: JSON.stringify(custom) })]);
  });

  it('have the names of known external accounts', () => {
    observatory()
      .when(
        decideCreateProfileField,
        create({ name: '', hint: 'x', type: 7, data: { subtype: 'github' } }),
        administrator,
      )
      .then([created(1, { name: 'GitHub username', hint: '', type: 7, fieldData: '{"subtype":"github"}' })]);
  });

  it('are changed, except their type', () => {
    observatory(created(1))
      .when(decideChangeProfileField, change(1, { name: 'Telephone', required: true }), administrator)
      .then([
        {
          type: 'ProfileFieldChanged',
          data: { from: stored(1), to: stored(1, { name: 'Telephone', required: true }) },
        },
      ]);
    observatory(created(1))
      .when(decideChangeProfileField, change(1, { name: 'Phone' }), administrator)
      .thenNothing();
    observatory(created(1)).when(decideChangeProfileField, change(1, {}), administrator).thenNothing();
    const options = created(1, { type: 3, fieldData: JSON.stringify(editors) });
    observatory(options)
      .when(decideChangeProfileField, change(1, { data: editors }), administrator)
      .thenNothing();
    observatory(options)
      .when(decideChangeProfileField, change(1, { data: {} }), administrator)
      .thenRefuses('FIELD_NEEDS_CHOICES');
  });

  it('do not change the names of known external accounts', () => {
    const github = created(1, { name: 'GitHub username', hint: '', type: 7, fieldData: '{"subtype":"github"}' });
    const changed = (changes: ChangeProfileField['changes']) =>
      observatory(github).when(decideChangeProfileField, change(1, changes), administrator);
    changed({ name: 'Code' }).thenRefuses('DEFAULT_FIELD_FIXED');
    changed({ hint: 'x' }).thenRefuses('DEFAULT_FIELD_FIXED');
    changed({ data: custom }).thenRefuses('DEFAULT_FIELD_FIXED');
    changed({ name: 'GitHub username', hint: '', data: { subtype: 'github' } }).thenNothing();
    expect(
      decideChangeProfileField(change(1, { displayInProfileSummary: true }), observatory(github).state, administrator),
    ).toHaveLength(1);
  });

  it('are removed', () => {
    observatory(created(1))
      .when(decideRemoveProfileField, new RemoveProfileField({ fieldId: 1, by }), administrator)
      .then([{ type: 'ProfileFieldRemoved', data: { field: stored(1) } }]);
  });

  it('are reordered only all together', () => {
    const two = observatory(created(1), created(2, { name: 'Fax' }));
    const order = (...ids: number[]) =>
      two.when(decideReorderProfileFields, new ReorderProfileFields({ order: ids, by }), administrator);
    order(2, 1).then([{ type: 'ProfileFieldsReordered', data: { from: [1, 2], to: [2, 1] } }]);
    order(1, 2).thenNothing();
    order(1).thenRefuses('FIELD_ORDER_INVALID');
    order(1, 2, 3).thenRefuses('FIELD_ORDER_INVALID');
    const turned = organization.evolve(two.state, {
      type: 'ProfileFieldsReordered',
      data: { from: [1, 2], to: [2, 1] },
    });
    expect(turned).toMatchObject({ profileFields: [{ id: 2 }, { id: 1 }] });
  });

  it('are edited by administrators only', () => {
    const one = observatory(created(1));
    one.when(decideCreateProfileField, create(), member).thenRefuses('ADMINISTRATOR_REQUIRED');
    one.when(decideChangeProfileField, change(1, {}), member).thenRefuses('ADMINISTRATOR_REQUIRED');
    one
      .when(decideRemoveProfileField, new RemoveProfileField({ fieldId: 1, by }), member)
      .thenRefuses('ADMINISTRATOR_REQUIRED');
    one
      .when(decideReorderProfileFields, new ReorderProfileFields({ order: [1], by }), member)
      .thenRefuses('ADMINISTRATOR_REQUIRED');
  });

  it('are refused if they do not exist', () => {
    observatory()
      .when(decideChangeProfileField, change(3, {}), administrator)
      .thenRefuses('FIELD_NOT_FOUND', { id: 3 });
    observatory()
      .when(decideRemoveProfileField, new RemoveProfileField({ fieldId: 3, by }), administrator)
      .thenRefuses('FIELD_NOT_FOUND', { id: 3 });
  });

  it.each<[string, Partial<ProfileFieldDraft>, string]>([
    ['an unknown type', { type: 9 }, 'FIELD_TYPE_INVALID'],
    ['no name', { name: ' ' }, 'FIELD_NAME_EMPTY'],
    ['a name too long', { name: 'x'.repeat(41) }, 'FIELD_NAME_TOO_LONG'],
    ['a hint too long', { hint: 'x'.repeat(81) }, 'FIELD_HINT_TOO_LONG'],
    ['a name in use', { name: 'Taken' }, 'FIELD_NAME_TAKEN'],
    ['no choices', { type: 3, data: {} }, 'FIELD_NEEDS_CHOICES'],
    ['a choice without a value', { type: 3, data: { ' ': { text: 'a', order: '1' } } }, 'FIELD_CHOICE_WITHOUT_VALUE'],
    ['a choice that is not an object', { type: 3, data: { a: 'b' } }, 'FIELD_DATA_INVALID'],
    ['a choice without its order', { type: 3, data: { a: { text: 'b' } } }, 'FIELD_DATA_INVALID'],
    ['a choice without text', { type: 3, data: { a: { text: '', order: '1' } } }, 'FIELD_DATA_INVALID'],
    ['a choice with an unknown key', { type: 3, data: { a: { text: 'b', order: '1', x: '' } } }, 'FIELD_DATA_INVALID'],
    [
      'the same choice twice',
      { type: 3, data: { a: { text: 'b', order: '1' }, c: { text: 'b', order: '2' } } },
      'FIELD_CHOICES_ALIKE',
    ],
    [
      'choices that are too long',
      { type: 3, data: { a: { text: 'b'.repeat(20_000), order: '1' } } },
      'FIELD_DATA_TOO_LONG',
    ],
    ['an account without a subtype', { type: 7, data: {} }, 'FIELD_DATA_INVALID'],
    ['an account of an unknown subtype', { type: 7, data: { subtype: 'myspace' } }, 'EXTERNAL_ACCOUNT_UNKNOWN'],
    [
      'an account with the name of an object property',
      { type: 7, data: { subtype: 'toString' } },
      'EXTERNAL_ACCOUNT_UNKNOWN',
    ],
    ['an account without a URL pattern', { type: 7, data: { subtype: 'custom' } }, 'EXTERNAL_ACCOUNT_NEEDS_PATTERN'],
    ['an account with an unknown key', { type: 7, data: { ...custom, x: 1 } }, 'FIELD_DATA_INVALID'],
    [
      'a URL pattern without the user name',
      { type: 7, data: { ...custom, url_pattern: 'https://x.org/' } },
      'FIELD_URL_PATTERN_INVALID',
    ],
    [
      'a URL pattern with a script',
      { type: 7, data: { ...custom, url_pattern: 'javascript:%(username)s' } },
      'FIELD_URL_PATTERN_INVALID',
    ],
    ['a long text in the profile summary', { type: 2, displayInProfileSummary: true }, 'FIELD_TYPE_NOT_IN_SUMMARY'],
    ['people in the profile summary', { type: 6, displayInProfileSummary: true }, 'FIELD_TYPE_NOT_IN_SUMMARY'],
    ['a third field in the profile summary', { displayInProfileSummary: true }, 'SUMMARY_IS_FULL'],
  ])('are refused with %s', (_, changes, code) => {
    const shown = { displayInProfileSummary: true };
    observatory(created(1, { name: 'Taken', ...shown }), created(2, { name: 'Second', ...shown }))
      .when(decideCreateProfileField, create(changes), administrator)
      .thenRefuses(code);
  });

  it('may keep their place in the profile summary and their name in a change', () => {
    const shown = { displayInProfileSummary: true };
    const history = [created(1, shown), created(2, { name: 'Second', ...shown }), created(3, { name: 'Third' })];
    const changed = (id: number, changes: ChangeProfileField['changes']) =>
      observatory(...history).when(decideChangeProfileField, change(id, changes), administrator);
    changed(1, { name: 'Phone', displayInProfileSummary: true }).thenNothing();
    changed(3, shown).thenRefuses('SUMMARY_IS_FULL');
    changed(3, { name: 'Phone' }).thenRefuses('FIELD_NAME_TAKEN');
  });
});
