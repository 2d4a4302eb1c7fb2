import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MESSAGES_STREAM } from '../../src/events/messages/messages.events.js';
import { HeldLog } from '../support/engines/held-log.js';
import { isShared, type OwnEngines, ownEngines } from '../support/engines/own-engines.js';
import { eventually } from '../support/eventually.js';
import type { Answer } from '../support/requests/http.js';
import { Annals, type Member } from '../support/servers/annals.js';

const VAULT = 'vault';

/** Several processes that share engines; one, if the engines are embedded. */
describe('a command on a process whose directory lags behind the log', () => {
  const log = new HeldLog();
  let engines: OwnEngines;
  let first: Annals;
  /** The process whose log is held. */
  let late: Annals;
  let owner: Member;
  let bob: Member;

  beforeEach(async () => {
    engines = await ownEngines();
    first = await Annals.on(engines, {}, isShared() ? {} : { open: log.open });
    late = isShared() ? await Annals.on(engines, {}, { keepsDocuments: false, open: log.open }) : first;
    owner = await first.owner();
    bob = await first.user('bob');
    const subscribed = await owner.api.post('/users/me/subscriptions', {
      subscriptions: [{ name: VAULT }],
      principals: [owner.id, bob.id],
      invite_only: true,
    });
    expect(subscribed.body.msg).toBe('');
  });
  afterEach(async () => {
    log.release();
    if (late !== first) await late.close();
    await first.stop();
  });

  const sendOfBob = () =>
    late.api.as(bob).post('/messages', { type: 'channel', to: VAULT, topic: 't', content: 'hello' });

  /** Sends as Bob once the event is in the log, while the directory lacks it. */
  async function sendAfter(type: string, removal: () => Promise<Answer>): Promise<Answer> {
    expect((await sendOfBob()).body.msg).toBe('');
    const before = await first.head();
    log.holdDirectory();
    const removed = removal();
    await eventually(async () => {
      const types = (await first.events(undefined, before)).map((event) => event.type);
      expect(types).toContain(type);
    });
    const sending = sendOfBob();
    // The process answers other requests meanwhile: for as long as it trusts a directory that does not move.
    for (let n = 0; n < 4; n++) expect((await late.api.as(owner).get('/users/me')).status).toBe(200);
    log.release();
    expect((await removed).body.msg).toBe('');
    return sending;
  }

  it('refuses a send to a channel that the sender was removed from', async () => {
    const leave = { subscriptions: [VAULT], principals: [bob.id] };
    const answer = await sendAfter('UsersUnsubscribed', () => owner.api.delete('/users/me/subscriptions', leave));
    expect(answer.body).toMatchObject({ code: 'STREAM_DOES_NOT_EXIST' });
  });

  it('stores no send of somebody after the removal from the channel is answered, even one that was decided before', async () => {
    log.holdAppends(MESSAGES_STREAM);
    const sending = sendOfBob();
    await eventually(() => expect(log.held).toBe(1));
    const before = await first.head();
    let isAnswered = false;
    const leave = { subscriptions: [VAULT], principals: [bob.id] };
    const removed = owner.api.delete('/users/me/subscriptions', leave).finally(() => {
      isAnswered = true;
    });
    await eventually(async () => {
      expect((await first.events('subscriptions-', before)).map((event) => event.type)).toEqual(['UsersUnsubscribed']);
    });
    for (let n = 0; n < 10; n++) await late.api.as(owner).get('/users/me');
    expect(isAnswered).toBe(false);
    log.release();
    expect((await sending).body.msg).toBe('');
    expect((await removed).body.msg).toBe('');
    const types = (await first.events(undefined, before)).map((event) => event.type);
    expect(types.slice(0, 2)).toEqual(['UsersUnsubscribed', 'MessageSent']);
    expect((await sendOfBob()).body).toMatchObject({ code: 'STREAM_DOES_NOT_EXIST' });
  });

  it('refuses a send of an account that was deactivated', async () => {
    const answer = await sendAfter('UserDeactivated', () => owner.api.delete(`/users/${bob.id}`));
    expect(answer.body).toMatchObject({ code: 'USER_DEACTIVATED' });
  });

  it('refuses a send under an API key that was replaced', async () => {
    const answer = await sendAfter('ApiKeysRegenerated', () => first.api.as(bob).post('/users/me/api_key/regenerate'));
    expect(answer.body).toMatchObject({ code: 'INVALID_API_KEY' });
  });

  it('refuses a command of an administrator who has become a member', async () => {
    expect((await owner.api.patch(`/users/${bob.id}`, { role: 200 })).body.msg).toBe('');
    const before = await first.head();
    log.holdDirectory();
    const demoted = owner.api.patch(`/users/${bob.id}`, { role: 400 });
    await eventually(async () => {
      expect((await first.events('users', before)).map((event) => event.type)).toEqual(['UserRoleChanged']);
    });
    const renaming = late.api.as(bob).patch(`/users/${owner.id}`, { full_name: 'Somebody' });
    for (let n = 0; n < 20; n++) await late.api.as(owner).get('/users/me');
    log.release();
    expect((await demoted).body.msg).toBe('');
    expect((await renaming).body).toMatchObject({ result: 'error' });
  });
});
