import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DEFAULT_USER_SETTINGS } from '../../../src/events/personal/user.settings.js';
import { UserSettings } from '../../../src/features/personal/services/user-settings.js';
import { EventQueue, told } from '../../support/requests/event-queue.js';
import type { Params } from '../../support/requests/http.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const KNOWS = { client_capabilities: { user_settings_object: true } };

/** A value other than the default for each setting. */
const OTHERS: Params = Object.fromEntries(
  Object.entries(DEFAULT_USER_SETTINGS).map(([name, value]) => {
    if (typeof value === 'boolean') return [name, !value];
    return [name, typeof value === 'number' ? (value === 1 ? 2 : 1) : null];
  }),
);
Object.assign(OTHERS, {
  default_language: 'de',
  emojiset: 'text',
  notification_sound: 'none',
  resolved_topic_notice_auto_read_policy: 'always',
  timezone: 'Asia/Kolkata',
  web_animate_image_previews: 'never',
  web_home_view: 'all_messages',
});

describe('PATCH /settings', () => {
  let annals: Annals;
  let owner: Member;
  let iris: Member;
  let noor: Member;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    [iris, noor] = [await annals.user('iris'), await annals.user('noor')];
  });
  afterAll(() => annals.stop());

  const appendedBy = async (ask: () => Promise<unknown>) => {
    const head = await annals.head();
    await ask();
    return (await annals.events(undefined, head)).map(({ stream, type, data }) => ({ stream, type, data }));
  };
  const update = async (who: Member, params: Params, path = '/settings') => {
    const { status, body } = await who.api.patch(path, params);
    expect([status, body]).toEqual([200, { result: 'success', msg: '' }]);
  };
  const changed = (who: Member, property: string, from: unknown, to: unknown) => ({
    stream: `user-${who.id}`,
    type: 'UserSettingChanged',
    data: { userId: who.id, property, from, to },
  });
  const settingsOf = async (who: Member) =>
    (await who.api.post('/register', { fetch_event_types: ['user_settings'] })).body.user_settings;

  it('appends one event for each change, and tells only the queues of the user', async () => {
    const [modern, all, others] = [
      await EventQueue.register(iris.api, KNOWS),
      await EventQueue.register(iris.api),
      await EventQueue.register(noor.api),
    ];
    const events = await appendedBy(() => update(iris, { twenty_four_hour_time: true, enable_sounds: false }));
    expect(events).toEqual([
      changed(iris, 'enable_sounds', true, false),
      changed(iris, 'twenty_four_hour_time', false, true),
    ]);
    const object = [
      { type: 'user_settings', op: 'update', property: 'enable_sounds', value: false },
      { type: 'user_settings', op: 'update', property: 'twenty_four_hour_time', value: true },
    ];
    const user = 'iris@example.com';
    expect(await told(modern)).toEqual(object);
    expect(await told(all)).toEqual([
      object[0],
      { type: 'update_global_notifications', user, notification_name: 'enable_sounds', setting: false },
      object[1],
      { type: 'update_display_settings', user, setting_name: 'twenty_four_hour_time', setting: true },
    ]);
    expect(await others.drain()).toEqual([]);
    expect(await appendedBy(() => update(iris, { twenty_four_hour_time: true, enable_sounds: false }))).toEqual([]);
    expect(await appendedBy(() => update(iris, {}))).toEqual([]);
  });

  it('accepts every setting, and answers it everywhere, also after a restart and a rebuild', async () => {
    expect(await appendedBy(() => update(noor, OTHERS))).toHaveLength(63);
    const known = annals.app.get(UserSettings);
    const shown = async () => {
      expect(await settingsOf(noor)).toMatchObject(OTHERS);
      expect(await settingsOf(owner)).toMatchObject({ ...DEFAULT_USER_SETTINGS });
      const { body } = await noor.api.post('/register');
      for (const [name, value] of Object.entries(OTHERS)) expect([name, body[name] ?? value]).toEqual([name, value]);
      expect(body).toMatchObject({ color_scheme: 2, desktop_icon_count_display: 2 });
      expect((await owner.api.get(`/users/${noor.id}`)).body.user).toMatchObject({ timezone: 'Asia/Kolkata' });
    };
    await shown();
    expect(known.of(noor.id)).toEqual(OTHERS);
    expect(known.of(owner.id)).toEqual(DEFAULT_USER_SETTINGS);
    await annals.restart();
    await shown();
    await annals.restart(() => annals.removeDocuments());
    await shown();
  });

  it('tells everybody a new time zone, and adds the name of a new language', async () => {
    const queue = await EventQueue.register(owner.api, { event_types: ['realm_user', 'user_settings'] });
    const own = await EventQueue.register(iris.api, { event_types: ['user_settings', 'update_display_settings'] });
    await update(iris, { timezone: 'Europe/Paris', default_language: 'fr' });
    const person = { user_id: iris.id, email: 'iris@example.com', timezone: 'Europe/Paris' };
    expect(await told(queue)).toEqual([{ type: 'realm_user', op: 'update', person }]);
    const language = { language_name: 'French' };
    const said = (await told(own)).slice(0, 2);
    expect(said).toEqual([
      { type: 'user_settings', op: 'update', property: 'default_language', value: 'fr', ...language },
      expect.objectContaining({ setting_name: 'default_language', setting: 'fr', ...language }),
    ]);
  });

  it.each(['/settings/display', '/settings/notifications'])('is available as %s, too', async (path) => {
    const to = path.endsWith('display');
    expect(await appendedBy(() => update(owner, { starred_message_counts: !to, enter_sends: to }, path))).toHaveLength(
      2,
    );
  });

  it('reports unknown parameters, and carries out the rest', async () => {
    const { body } = await iris.api.patch('/settings', { dense_mode: true, color_scheme: 3 });
    expect(body).toEqual({ result: 'success', msg: '', ignored_parameters_unsupported: ['dense_mode'] });
    expect(await settingsOf(iris)).toMatchObject({ color_scheme: 3 });
  });

  it.each([
    ['twenty_four_hour_time', '"maybe"'],
    ['color_scheme', 4],
    ['color_scheme', 0],
    ['web_channel_default_view', 5],
    ['automatically_follow_topics_policy', 5],
    ['web_font_size_px', 0],
    ['web_font_size_px', '"big"'],
    ['email_notifications_batching_period_seconds', 0],
    ['email_notifications_batching_period_seconds', 604_801],
    ['default_language', 'tlh'],
    ['emojiset', 'apple'],
    ['web_home_view', 'start'],
    ['notification_sound', 'gong'],
    ['timezone', 'Mars/Olympus'],
    ['timezone', '+05:30'],
    ['timezone', 'europe/berlin'],
    ['timezone', 'US/PACIFIC'],
    ['timezone', ''],
    ['web_animate_image_previews', 'sometimes'],
    ['resolved_topic_notice_auto_read_policy', 'now'],
    ['email_address_visibility', 6],
  ])('refuses %s = %j, and changes nothing', async (name, value) => {
    const events = await appendedBy(async () => {
      const { status, body } = await iris.api.patch('/settings', { enable_digest_emails: true, [name]: value });
      expect([status, body.result, body.msg]).toEqual([400, 'error', expect.stringContaining(name)]);
    });
    expect(events).toEqual([]);
  });

  it('refuses bots', async () => {
    const { body } = await owner.api.post('/bots', { full_name: 'Bot', short_name: 'robot' });
    const { body: made } = await owner.api.get(`/users/${body.user_id}`);
    const bot = annals.api.as({ email: made.user.email, apiKey: body.api_key });
    const answer = await bot.patch('/settings', { color_scheme: 2 });
    expect([answer.status, answer.body.msg]).toEqual([400, 'This endpoint does not accept bot requests.']);
  });
});
