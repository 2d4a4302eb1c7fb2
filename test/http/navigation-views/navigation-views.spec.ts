import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { READ_SIDE, type ReadSide } from '../../../src/app/roles/read-side.js';
import { EventQueue, told } from '../../support/requests/event-queue.js';
import { expectRefusal } from '../../support/requests/refusal.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const DONE = { result: 'success', msg: '' };

describe('navigation views over HTTP', () => {
  let annals: Annals;
  let made = 0;

  beforeAll(async () => {
    annals = await Annals.start();
  });
  afterAll(() => annals.stop());

  const reader = () => annals.user(`reader${++made}`);
  const alerts = { fragment: 'narrow/is/alerted', is_pinned: true, name: 'Alerts' };
  const add = (member: Member, view: Record<string, unknown> = alerts) => member.api.post('/navigation_views', view);
  const listed = async (member: Member) => (await member.api.get('/navigation_views')).body.navigation_views;
  const registered = async (member: Member) =>
    (await member.api.post('/register', { fetch_event_types: ['navigation_views'] })).body.navigation_views;

  it('are added, listed in the order added, and told to their user alone', async () => {
    const [mila, noor] = [await reader(), await reader()];
    const queue = await EventQueue.register(mila.api, { event_types: ['navigation_view'] });
    const others = await EventQueue.register(noor.api, { event_types: ['navigation_view'] });
    const head = await annals.head();
    expect(await registered(mila)).toEqual([]);
    expect((await add(mila)).body).toEqual(DONE);
    expect((await add(mila, { fragment: 'inbox', is_pinned: false })).body).toEqual(DONE);
    const inbox = { fragment: 'inbox', is_pinned: false, name: null };
    expect((await mila.api.get('/navigation_views')).body).toEqual({ ...DONE, navigation_views: [alerts, inbox] });
    expect(await registered(mila)).toEqual([alerts, inbox]);
    expect(await told(queue)).toEqual([
      { type: 'navigation_view', op: 'add', navigation_view: alerts },
      { type: 'navigation_view', op: 'add', navigation_view: inbox },
    ]);
    expect(await told(others)).toEqual([]);
    expect(await listed(noor)).toEqual([]);
    const events = await annals.events(`user-${mila.id}`, head);
    expect(events.map(({ type }) => type)).toEqual(['NavigationViewAdded', 'NavigationViewAdded']);
  });

  it('are edited and removed by a fragment whose slashes are encoded or not', async () => {
    const mila = await reader();
    await add(mila);
    const queue = await EventQueue.register(mila.api, { event_types: ['navigation_view'] });
    expect((await mila.api.patch('/navigation_views/narrow/is/alerted', { name: 'Words' })).body).toEqual(DONE);
    const encoded = '/navigation_views/narrow%2Fis%2Falerted';
    expect((await mila.api.patch(encoded, { is_pinned: false })).body).toEqual(DONE);
    expect(await listed(mila)).toEqual([{ ...alerts, name: 'Words', is_pinned: false }]);
    const head = await annals.head();
    expect((await mila.api.patch(encoded, { is_pinned: false, name: ' Words ' })).body).toEqual(DONE);
    expect(await annals.head()).toBe(head);
    expect((await mila.api.delete(encoded)).body).toEqual(DONE);
    expect(await told(queue)).toEqual([
      { type: 'navigation_view', op: 'update', fragment: alerts.fragment, data: { name: 'Words' } },
      { type: 'navigation_view', op: 'update', fragment: alerts.fragment, data: { is_pinned: false } },
      { type: 'navigation_view', op: 'remove', fragment: alerts.fragment },
    ]);
    expect(await listed(mila)).toEqual([]);
  });

  it('have fragments that are decoded once', async () => {
    const mila = await reader();
    const fragment = 'narrow/topic/a%2Fb é?';
    await add(mila, { fragment, is_pinned: true, name: 'Odd' });
    await expectRefusal(
      annals,
      () => mila.api.delete(`/navigation_views/${encodeURI('narrow/topic/a/b é?')}`),
      'Navigation view does not exist.',
      404,
    );
    expect((await mila.api.delete(`/navigation_views/${encodeURIComponent(fragment)}`)).body).toEqual(DONE);
    expect(await listed(mila)).toEqual([]);
  });

  it('are refused with the published errors, without a change', async () => {
    const [mila, noor] = [await reader(), await reader()];
    await add(mila);
    const refused = (view: object, message: string) =>
      expectRefusal(annals, () => add(mila, { ...alerts, fragment: 'narrow/is/dm', ...view }), message);
    await refused({ fragment: '' }, 'fragment cannot be blank');
    await refused({ name: undefined }, 'Custom views must have a valid name.');
    await refused({ fragment: 'inbox' }, 'Built-in views cannot have a custom name.');
    await refused({}, 'Navigation view already exists.');
    await refused({ fragment: alerts.fragment, name: 'Other' }, 'Navigation view already exists.');
    const path = `/navigation_views/${alerts.fragment}`;
    const missing = 'Navigation view does not exist.';
    await expectRefusal(annals, () => mila.api.patch(path, { name: '' }), 'Custom views must have a valid name.');
    await expectRefusal(annals, () => noor.api.patch(path, { name: 'Mine' }), missing, 404);
    await expectRefusal(annals, () => noor.api.delete(path), missing, 404);
    expect((await mila.api.post('/navigation_views', { fragment: 'x' })).body.code).toBe('REQUEST_VARIABLE_MISSING');
  });

  it('are one after two additions of the same at once', async () => {
    const mila = await reader();
    const answers = await Promise.all([add(mila), add(mila, { ...alerts, name: 'Other' })]);
    expect(answers.map(({ body }) => body.result).sort()).toEqual(['error', 'success']);
    expect(await listed(mila)).toHaveLength(1);
  });

  it('are the same after a rebuild and a restart, and a client continues', async () => {
    const mila = await reader();
    const queue = await EventQueue.register(mila.api, { event_types: ['navigation_view'] });
    await add(mila);
    await annals.app.get<ReadSide>(READ_SIDE).rebuild(['navigation-views', 'client-events'], () => {});
    expect(await listed(mila)).toEqual([alerts]);
    await annals.restart();
    queue.api = mila.api;
    expect(await listed(mila)).toEqual([alerts]);
    expect(await told(queue)).toEqual([{ type: 'navigation_view', op: 'add', navigation_view: alerts }]);
  });
});
