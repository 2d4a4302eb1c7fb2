import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Deferred } from '../../src/platform/kernel/deferred.js';
import { eventually } from '../support/eventually.js';
import { MailServer } from '../support/outside/mail-server.js';
import { Api } from '../support/requests/api.js';
import { sendForm } from '../support/requests/pages.js';
import { killedAt, type Side } from '../support/servers/killed-at.js';

const EMAIL = 'ann@example.org';
const PASSWORD = 'a good password';

/** The mails in the folder `outbox`. */
async function mailsIn({ dataDirectory }: Side): Promise<string[]> {
  const folder = join(dataDirectory, 'outbox');
  const files = await readdir(folder).catch(() => []);
  return Promise.all(files.filter((file) => file.endsWith('.eml')).map((file) => readFile(join(folder, file), 'utf8')));
}

const invite = (api: Api, more: Record<string, unknown> = {}) =>
  api.post('invites', { invitee_emails: EMAIL, stream_ids: [1], ...more });

describe('joining, if the server is killed', () => {
  it.each([
    ['after the acceptance is stored', 'appended:invitations'],
    ['after the account is stored', 'appended:users'],
    ['after the membership is stored', 'appended:userGroups'],
    ['after the welcome is stored', 'appended:messages'],
    ['after the subscription is stored', 'appended:subscriptions'],
  ])('%s, is finished by the next start, once', async (_, point) => {
    await killedAt(
      point,
      {
        prepare: async (side) => {
          const { group_id } = await side.api.post('user_groups/create', {
            name: 'crew',
            description: '',
            members: [],
          });
          const welcome = { welcome_message_custom_text: 'Welcome.' };
          expect((await invite(side.api, { group_ids: [group_id], ...welcome })).msg).toBe('');
          const [mail = ''] = await eventually(async () => {
            const mails = await mailsIn(side);
            expect(mails).toHaveLength(1);
            return mails;
          });
          return { group_id, key: /do_confirm\/([a-z2-7]{24})/.exec(mail.replace(/=\r\n/g, ''))?.[1] ?? '' };
        },
        work: ({ api }, { key }) => {
          const form = { key, full_name: 'Ann Lee', password: PASSWORD };
          return expect(sendForm(`${api.credentials.site}/accounts/register/`, form)).rejects.toThrow();
        },
        check: async (side, { group_id }) => {
          const { site } = side.api.credentials;
          await eventually(async () => {
            const { api_key: key } = await side.api.post('fetch_api_key', { username: EMAIL, password: PASSWORD });
            expect(key).toEqual(expect.any(String));
            const ann = new Api({ email: EMAIL, key: String(key), site });
            const { user_id } = await ann.get('users/me');
            expect((await ann.get(`user_groups/${group_id}/members`)).members).toEqual([user_id]);
            expect((await ann.get('users/me/subscriptions')).subscriptions).toHaveLength(1);
            const { messages } = await ann.get('messages', { anchor: 'newest', num_before: 9, num_after: 0 });
            const greeting = expect.stringMatching(/^<p>Hello, and welcome to .*<p>Welcome\.<\/p>$/s);
            expect((messages as { content: string }[]).map(({ content }) => content)).toEqual([greeting]);
          });
          expect((await side.api.get('invites')).invites).toEqual([]);
          const { members } = await side.api.get('users');
          expect((members as { delivery_email: string }[]).filter((one) => one.delivery_email === EMAIL)).toHaveLength(
            1,
          );
        },
      },
      { ANNALS_WELCOME_MESSAGES: 'true' },
    );
  });

  it('after a refused mail is recorded, shows it after the next start', async () => {
    const mail = await MailServer.start();
    const taken = new Deferred<void>();
    mail.holds = () => taken.promise;
    const point = killedAt(
      'appended:invitations',
      {
        prepare: async ({ api }) => {
          expect((await invite(api)).msg).toBe('');
          await eventually(() => expect(mail.tries).toEqual([EMAIL]));
        },
        work: async () => {
          mail.answer = () => 550;
          taken.resolve();
        },
        check: async ({ api }) => {
          const problems = async () =>
            ((await api.get('invites')).invites as { problem?: string }[]).map((one) => one.problem);
          await eventually(async () => expect(await problems()).toEqual(['mail_refused']));
          // The refusal was stored before it was recorded.
          expect(mail.tries).toEqual([EMAIL]);
        },
      },
      { ANNALS_SMTP_URL: mail.url },
    );
    await point.finally(() => mail.stop());
  });

  it('after an invitation is stored, mails it once', async () => {
    await killedAt('appended:invitations', {
      prepare: async () => undefined,
      work: ({ api }) => expect(invite(api)).rejects.toThrow(),
      check: async (side) => {
        await eventually(async () => expect(await mailsIn(side)).toHaveLength(1));
        expect((await side.api.get('invites')).invites).toHaveLength(1);
      },
      stopped: async (side) => expect(await mailsIn(side)).toHaveLength(1),
    });
  });
});
