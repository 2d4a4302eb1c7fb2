import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeactivateUser } from '../../../src/features/users/domain/activity.js';
import { ClientRealm } from '../../support/client-state/client-realm.js';
import { EventQueue, told } from '../../support/requests/event-queue.js';
import type { Client, Params } from '../../support/requests/http.js';
import { expectRefusal } from '../../support/requests/refusal.js';
import { Annals, by, type Member } from '../../support/servers/annals.js';

const TEMPLATES = { client_capabilities: { linkifier_url_template: true } };

/** The lists of the organization that administrators edit: profile fields, linkifiers and code playgrounds. */
describe('lists of the organization', () => {
  let annals: Annals;
  let owner: Member;
  let administrator: Member;
  let readers: readonly Member[];
  let leaver: Member;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    administrator = await annals.user('administrator', 200);
    readers = [await annals.user('moderator', 300), await annals.user('member'), await annals.user('guest', 600)];
    leaver = await annals.user('leaver', 200);
    await annals.execute(new DeactivateUser({ userId: leaver.id, by, notice: null }));
  });
  afterAll(() => annals.stop());

  const events = async (after: number) =>
    (await annals.events('organization', after)).map(({ type, data }) => ({ type, data }));

  type Write = readonly ['POST' | 'PATCH' | 'DELETE', string, Params];
  const writes: readonly Write[] = [
    ['POST', '/realm/profile_fields', { name: 'x', field_type: 1 }],
    ['PATCH', '/realm/profile_fields', { order: [] }],
    ['PATCH', '/realm/profile_fields/1', { name: 'x' }],
    ['DELETE', '/realm/profile_fields/1', {}],
    ['POST', '/realm/filters', { pattern: 'x', url_template: 'https://x.org/' }],
    ['PATCH', '/realm/linkifiers', { ordered_linkifier_ids: [] }],
    ['PATCH', '/realm/filters/1', { pattern: 'x', url_template: 'https://x.org/' }],
    ['DELETE', '/realm/filters/1', {}],
    ['POST', '/realm/playgrounds', { name: 'x', pygments_language: 'x', url_template: 'https://x.org/{code}' }],
    ['DELETE', '/realm/playgrounds/1', {}],
  ];

  it.each(writes)('%s %s is allowed to administrators only', async (method, path, params) => {
    for (const { api } of readers)
      await expectRefusal(annals, () => api.ask(method, path, params), {
        code: 'UNAUTHORIZED_PRINCIPAL',
        msg: 'Must be an organization administrator',
      });
    expect((await leaver.api.ask(method, path, params)).status).toBe(401);
    expect((await annals.api.ask(method, path, params)).body.code).toBe('UNAUTHORIZED');
  });

  it.each(['/realm/profile_fields', '/realm/linkifiers', '/realm/emoji'])(
    'GET %s is allowed to every user',
    async (path) => {
      for (const { api } of [owner, ...readers]) expect((await api.get(path)).status).toBe(200);
      expect((await leaver.api.get(path)).status).toBe(401);
      expect((await annals.api.get(path)).body.code).toBe('UNAUTHORIZED');
    },
  );

  describe('profile fields', () => {
    const list = async () => (await readers[2]?.api.get('/realm/profile_fields'))?.body.custom_fields;
    const create = (params: Params, api = administrator.api) => api.post('/realm/profile_fields', params);
    const editors = { 0: { text: 'Vim', order: '1' }, 1: { text: 'Emacs', order: '2' } };
    let phone: number;
    let editor: number;

    it('are created, told to everybody, and listed', async () => {
      const queues = await Promise.all(readers.map(({ api }) => EventQueue.register(api)));
      const head = await annals.head();
      const { body } = await create({ name: 'Phone', hint: 'With the area', field_type: 1, required: true });
      phone = body.id;
      expect(body).toEqual({ result: 'success', msg: '', id: 1 });
      expect(await events(head)).toMatchObject([
        {
          type: 'ProfileFieldCreated',
          data: { field: { id: 1, name: 'Phone', required: true, editableByUser: true } },
        },
      ]);
      const fields = [
        {
          id: 1,
          name: 'Phone',
          type: 1,
          hint: 'With the area',
          field_data: '',
          order: 1,
          required: true,
          editable_by_user: true,
        },
      ];
      expect(await list()).toEqual(fields);
      for (const queue of queues) expect(await told(queue)).toEqual([{ type: 'custom_profile_fields', fields }]);
    });

    it('have the data that their type needs', async () => {
      editor = (await create({ name: 'Editor', field_type: 3, field_data: editors })).body.id;
      await create({ field_type: 7, field_data: { subtype: 'github' }, display_in_profile_summary: true });
      expect((await list()).slice(1)).toMatchObject([
        { name: 'Editor', type: 3, field_data: JSON.stringify(editors), order: 2 },
        { name: 'GitHub username', type: 7, field_data: '{"subtype":"github"}', display_in_profile_summary: true },
      ]);
    });

    it('are changed; what changes nothing tells nobody', async () => {
      const queue = await EventQueue.register(owner.api);
      const head = await annals.head();
      const path = `/realm/profile_fields/${phone}`;
      const changes = { name: 'Telephone', editable_by_user: false, use_for_user_matching: true };
      expect((await owner.api.patch(path, changes)).body).toEqual({ result: 'success', msg: '' });
      expect((await owner.api.patch(path, changes)).status).toBe(200);
      expect(await events(head)).toMatchObject([
        { type: 'ProfileFieldChanged', data: { from: { name: 'Phone' }, to: { name: 'Telephone', required: true } } },
      ]);
      const [event, ...more] = await told(queue);
      expect(event?.fields[0]).toMatchObject({ name: 'Telephone', use_for_user_matching: true });
      expect([event?.fields.length, more]).toEqual([3, []]);
    });

    it('are put in another order', async () => {
      const ids = (await list()).map(({ id }: { id: number }) => id).reverse();
      expect((await owner.api.patch('/realm/profile_fields', { order: ids })).status).toBe(200);
      const orders = (await list()).map(({ id, order }: { id: number; order: number }) => [id, order]);
      expect(orders).toEqual(ids.map((id: number, index: number) => [id, index + 1]));
      await expectRefusal(
        annals,
        () => owner.api.patch('/realm/profile_fields', { order: [1] }),
        'Invalid order mapping.',
      );
    });

    it.each<[Params, string]>([
      [{ field_type: 9, name: 'x' }, 'Invalid field type.'],
      [{ field_type: 1, name: ' ' }, 'Label cannot be blank.'],
      [{ field_type: 1, name: 'x'.repeat(41) }, 'name is too long (limit: 40 characters)'],
      [{ field_type: 1, name: 'x', hint: 'x'.repeat(81) }, 'hint is too long (limit: 80 characters)'],
      [{ field_type: 1, name: 'Editor' }, 'A field with that label already exists.'],
      [{ field_type: 3, name: 'x' }, 'Field must have at least one choice.'],
      [{ field_type: 3, name: 'x', field_data: [1] }, 'field_data is not an object'],
      [{ field_type: 7, name: 'x', field_data: { subtype: 'x' } }, 'Invalid external account type'],
      [
        { field_type: 2, name: 'x', display_in_profile_summary: true },
        'Field type not supported for display in profile summary.',
      ],
      [{ field_type: 1.5, name: 'x' }, 'field_type is not an integer'],
    ])('are refused: %j', (params, msg) => expectRefusal(annals, () => create(params), msg));

    it('require their type, and answer an error for an unknown id', async () => {
      const { body } = await create({ name: 'x' });
      expect(body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: 'field_type' });
      await expectRefusal(annals, () => owner.api.patch('/realm/profile_fields/99', {}), 'Field id 99 not found.');
      await expectRefusal(annals, () => owner.api.delete('/realm/profile_fields/99'), 'Field id 99 not found.');
      expect((await owner.api.delete('/realm/profile_fields/x')).status).toBe(404);
    });

    it('are limited to two in the profile summary', async () => {
      await create({ name: 'Second', field_type: 1, display_in_profile_summary: true });
      const msg = 'Only 2 custom profile fields can be displayed in the profile summary.';
      await expectRefusal(
        annals,
        () => create({ name: 'Third', field_type: 1, display_in_profile_summary: true }),
        msg,
      );
    });

    it('leave out values of users for removed fields and choices', async () => {
      const { id } = readers[1] as Member;
      const profile = async () => {
        const { body } = await owner.api.get(`/users/${id}`, { include_custom_profile_fields: true });
        const { state } = await EventQueue.register(owner.api, { fetch_event_types: ['realm_user'] });
        const user = state.realm_users.find(({ user_id }: { user_id: number }) => user_id === id);
        const own = (await (readers[1] as Member).api.get('/users/me')).body;
        const listed = (await owner.api.get('/users', { user_ids: [id], include_custom_profile_fields: true })).body;
        const { profile_data } = body.user;
        for (const one of [user, own, listed.members[0]]) expect(one.profile_data).toEqual(profile_data);
        return profile_data;
      };
      const data = [
        { id: phone, value: '12' },
        { id: editor, value: '1' },
      ];
      expect((await owner.api.patch(`/users/${id}`, { profile_data: data })).status).toBe(200);
      const number = { value: '12', rendered_value: '<p>12</p>' };
      expect(await profile()).toEqual({ [phone]: number, [editor]: { value: '1' } });
      await owner.api.patch(`/realm/profile_fields/${editor}`, { field_data: { 0: editors[0] } });
      expect(await profile()).toEqual({ [phone]: number });
      await owner.api.delete(`/realm/profile_fields/${phone}`);
      expect(await profile()).toEqual({});
    });

    it('are removed for good', async () => {
      const queue = await EventQueue.register(readers[0]?.api as Client);
      expect((await owner.api.delete(`/realm/profile_fields/${editor}`)).status).toBe(200);
      const [event] = await told(queue);
      expect(event?.fields.map(({ id }: { id: number }) => id)).not.toContain(editor);
      const next = (await create({ name: 'Editor', field_type: 1 })).body.id;
      expect(next).toBeGreaterThan(editor);
    });
  });

  describe('linkifiers', () => {
    const issues = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://example.org/issues/{id}' };
    const add = (params: Params, api = administrator.api) => api.post('/realm/filters', params);
    const list = async () => (await readers[2]?.api.get('/realm/linkifiers'))?.body.linkifiers;
    let first: number;

    it('are added, listed, and told to clients that know templates', async () => {
      const queues = await Promise.all(readers.map(({ api }) => EventQueue.register(api, TEMPLATES)));
      const old = await EventQueue.register(owner.api);
      const head = await annals.head();
      const { body } = await add(issues);
      first = body.id;
      expect(body).toEqual({ result: 'success', msg: '', id: 1 });
      const linkifiers = [{ id: 1, ...issues }];
      expect(await list()).toEqual(linkifiers);
      expect(await events(head)).toMatchObject([{ type: 'LinkifierAdded', data: { linkifier: { id: 1 } } }]);
      for (const queue of queues)
        expect(await told(queue)).toEqual([{ type: 'realm_linkifiers', realm_linkifiers: linkifiers }]);
      expect(await told(old)).toEqual([]);
      expect((await EventQueue.register(owner.api, TEMPLATES)).state.realm_linkifiers).toEqual(linkifiers);
      expect((await EventQueue.register(owner.api)).state).toMatchObject({ realm_linkifiers: [], realm_filters: [] });
    });

    it('have their reverse template, if they have one', async () => {
      const back = {
        pattern: 'T(?P<id>\\d+)',
        url_template: 'https://example.org/t/{id}',
        example_input: 'T12',
        reverse_template: 'T{id}',
        alternative_url_templates: ['https://old.example.org/t/{id}'],
      };
      const { body } = await add(back);
      expect((await list())[1]).toEqual({ id: body.id, ...back });
      const plain = { pattern: back.pattern, url_template: back.url_template };
      await owner.api.patch(`/realm/filters/${body.id}`, { ...plain, example_input: '' });
      expect((await list())[1]).toEqual({ id: body.id, ...plain });
    });

    it('are changed; what changes nothing tells nobody', async () => {
      const queue = await EventQueue.register(owner.api, TEMPLATES);
      const changed = { ...issues, url_template: 'https://issues.example.org/{id}' };
      for (const _ of [1, 2]) expect((await owner.api.patch(`/realm/filters/${first}`, changed)).status).toBe(200);
      expect(await told(queue)).toMatchObject([{ realm_linkifiers: [{ id: first, ...changed }, {}] }]);
    });

    it('are put in another order', async () => {
      const ids = (await list()).map(({ id }: { id: number }) => id).reverse();
      expect((await owner.api.patch('/realm/linkifiers', { ordered_linkifier_ids: ids })).status).toBe(200);
      expect((await list()).map(({ id }: { id: number }) => id)).toEqual(ids);
      const msg = 'The ordered list must enumerate all existing linkifiers exactly once';
      await expectRefusal(annals, () => owner.api.patch('/realm/linkifiers', { ordered_linkifier_ids: [first] }), msg);
    });

    it.each<[Params, unknown]>([
      [{ pattern: '(?P<id>' }, expect.stringContaining('Bad regular expression: ')],
      [{ pattern: '(?=x)(?P<id>x)' }, expect.stringContaining('Bad regular expression: ')],
      [{ pattern: '(?P<id>x)\\1' }, expect.stringContaining('Bad regular expression: ')],
      [{ url_template: 'https://x.org/{id' }, 'Invalid URL template.'],
      [{ url_template: 'https://x.org/{no}{id}' }, "Group 'no' in URL template is not present in linkifier pattern."],
      [{ url_template: 'https://x.org/' }, "Group 'id' in linkifier pattern is not present in URL template."],
      [{ pattern: 'T(?P<id>\\d+)' }, 'A linkifier with this pattern already exists.'],
      [{ reverse_template: 'x{id}' }, 'A reverse template needs an example input.'],
      [{ example_input: 'y' }, 'Example input does not match the linkifier pattern.'],
      [
        { example_input: 'x', reverse_template: 'x{id}' },
        'The reverse template does not lead back to the example input.',
      ],
      [{ alternative_url_templates: 'x' }, 'alternative_url_templates is not valid JSON'],
    ])('are refused: %j', (params, msg) =>
      expectRefusal(annals, () => add({ pattern: '(?P<id>x)', url_template: 'https://x.org/{id}', ...params }), {
        code: String(msg).endsWith('is not valid JSON') ? 'INVALID_JSON' : 'BAD_REQUEST',
        msg,
      }),
    );

    it('require pattern and template, and answer an error for an unknown id', async () => {
      expect((await add({ pattern: 'x' })).body.code).toBe('REQUEST_VARIABLE_MISSING');
      await expectRefusal(annals, () => owner.api.patch('/realm/filters/99', issues), 'Linkifier not found.');
      await expectRefusal(annals, () => owner.api.delete('/realm/filters/99'), 'Linkifier not found.');
    });

    it('are removed for good', async () => {
      const queue = await EventQueue.register(owner.api, TEMPLATES);
      expect((await owner.api.delete(`/realm/filters/${first}`)).status).toBe(200);
      expect((await told(queue))[0]?.realm_linkifiers.map(({ id }: { id: number }) => id)).not.toContain(first);
      expect((await add(issues)).body.id).toBeGreaterThan(first + 1);
    });
  });

  describe('code playgrounds', () => {
    const rust = { name: 'Rust', pygments_language: 'Rust', url_template: 'https://play.example.org/?code={code}' };
    const add = (params: Params, api = administrator.api) => api.post('/realm/playgrounds', params);

    it('are added and removed, and everybody is told', async () => {
      const queues = await Promise.all(readers.map(({ api }) => EventQueue.register(api)));
      const { body } = await add({ ...rust, name: ' Rust ' });
      expect(body).toEqual({ result: 'success', msg: '', id: 1 });
      expect((await EventQueue.register(owner.api)).state.realm_playgrounds).toEqual([{ id: 1, ...rust }]);
      await expectRefusal(annals, () => add(rust), 'A playground with this name and language already exists.');
      expect((await owner.api.delete('/realm/playgrounds/1')).body).toEqual({ result: 'success', msg: '' });
      for (const queue of queues)
        expect(await told(queue)).toEqual([
          { type: 'realm_playgrounds', realm_playgrounds: [{ id: 1, ...rust }] },
          { type: 'realm_playgrounds', realm_playgrounds: [] },
        ]);
      expect((await add(rust)).body.id).toBe(2);
      await expectRefusal(annals, () => owner.api.delete('/realm/playgrounds/1'), 'Invalid playground');
    });

    it.each<[Params, string]>([
      [{ name: ' ' }, 'Playground name cannot be blank.'],
      [{ name: 'x'.repeat(101) }, 'name is too long (limit: 100 characters)'],
      [{ pygments_language: 'Ру' }, 'Invalid characters in pygments language'],
      [{ pygments_language: 'x'.repeat(41) }, 'pygments_language is too long (limit: 40 characters)'],
      [{ url_template: '{' }, 'Invalid URL template.'],
      [{ url_template: 'https://x.org/' }, 'Missing the required variable "code" in the URL template'],
      [{ url_template: '{code}{x}' }, '"code" should be the only variable present in the URL template'],
    ])('are refused: %j', (params, msg) => expectRefusal(annals, () => add({ ...rust, ...params }), msg));
  });

  it('50 concurrent additions are all accepted with unique ids, and clients are told all of them', async () => {
    const queue = await EventQueue.register(readers[2]?.api as Client, TEMPLATES);
    const head = await annals.head();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        const { api } = index % 2 ? owner : administrator;
        if (index % 3 === 0) return api.post('/realm/profile_fields', { name: `field ${index}`, field_type: 1 });
        const url = { url_template: 'https://x.org/{code}' };
        if (index % 3 === 1) return api.post('/realm/filters', { pattern: `race${index}(?P<code>x)`, ...url });
        return api.post('/realm/playgrounds', { name: `play ${index}`, pygments_language: 'x', ...url });
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    for (const kind of [0, 1, 2]) {
      const ids = answers.flatMap(({ body }, index) => (index % 3 === kind ? [body.id] : []));
      expect(new Set(ids).size).toBe(ids.length);
    }
    expect(await events(head)).toHaveLength(50);

    const client = new ClientRealm(queue.state);
    for (const event of await queue.drain()) client.apply(event);
    const fresh = await EventQueue.register(readers[2]?.api as Client, TEMPLATES);
    expect(client.comparable).toEqual(new ClientRealm(fresh.state).comparable);
    expect(fresh.state.custom_profile_fields.filter(({ name }: { name: string }) => /^field/.test(name))).toHaveLength(
      17,
    );
  });

  it('one of 50 concurrent additions of the same name is accepted', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => owner.api.post('/realm/profile_fields', { name: 'Only one', field_type: 1 })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('are the same after a restart', async () => {
    const before = (await EventQueue.register(owner.api, TEMPLATES)).state;
    await annals.restart();
    const after = (await EventQueue.register(owner.api, TEMPLATES)).state;
    expect(new ClientRealm(after).comparable).toEqual({
      ...new ClientRealm(before).comparable,
      settings: { ...new ClientRealm(before).comparable.settings, realm_url: annals.url, realm_uri: annals.url },
    });
  });
});
