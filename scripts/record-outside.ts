// Records what needs servers of others, as a part of a history: mails that are refused or followed, and mobile devices.
import { eventually } from '../test/support/eventually.js';
import type { MailServer } from '../test/support/outside/mail-server.js';
import type { BouncerServer } from '../test/support/outside/push/bouncer-server.js';
import { base64, newDeviceKeys } from '../test/support/outside/push/open-sealed-box.js';
import { sendForm } from '../test/support/requests/pages.js';
import type { Ask } from './api-client.js';

/** An address whose mails the mail server refuses for good. */
const REFUSED = 'refused@example.com';

export const refusing = (address: string): number | undefined => (address === REFUSED ? 550 : undefined);

/** @param ask as the owner */
export async function recordMails(ask: Ask, mail: MailServer, url: string): Promise<void> {
  const invited = async (): Promise<{ email?: string; problem?: string; link_url?: string }[]> =>
    (await ask('GET', '/invites')).invites;
  await ask('POST', '/invites', { invitee_emails: `${REFUSED},joiner@example.com`, stream_ids: [] });
  await eventually(async () => {
    if (!(await invited()).some(({ problem }) => problem === 'mail_refused')) throw new Error('no mail was refused');
  });
  const { links } = await mail.mailTo('joiner@example.com');
  const join = { key: links[0]?.split('/').at(-1) ?? '', full_name: 'Joiner', password: 'correct horse battery' };
  await carriedOut(sendForm(`${url}/accounts/register/`, join));
  const forMany = (await invited()).find(({ link_url }) => link_url !== undefined)?.link_url ?? '';
  await carriedOut(sendForm(forMany, { email: 'passer-by@example.com' }));

  const [veto = ''] = (await mail.mailTo('tulip@example.com')).links;
  await carriedOut(sendForm(veto, {}));
  await carriedOut(sendForm(`${url}/accounts/password/reset/`, { email: 'tulip@example.com' }));
  await mail.mailTo('tulip@example.com', 2);
}

/** @param ask as the owner */
export async function recordDevices(ask: Ask, bouncer: BouncerServer): Promise<void> {
  const newKey = () => base64(newDeviceKeys().publicKey);
  const register = (accountId: string) =>
    ask('POST', '/mobile_push/register', {
      token_kind: 'apns',
      push_account_id: accountId,
      push_public_key: newKey(),
      bouncer_public_key: newKey(),
      encrypted_push_registration: btoa('a box'),
    });
  const settled = () =>
    eventually(async () => {
      const { push_devices: listed } = await ask('GET', '/users/me/push_devices');
      if (listed.some(({ status }: { status: string }) => status === 'pending')) throw new Error('a device is pending');
      return listed;
    });
  for (const accountId of ['1', '2']) await register(accountId);
  const devices = await settled();
  const body = { result: 'error', code: 'REQUEST_EXPIRED', msg: 'Too old' };
  bouncer.instead.set('push/e2ee/register', { status: 400, body });
  await register('3');
  await settled();
  await ask('DELETE', `/users/me/push_devices/${devices[1].id}`);
}

/** @throws Error if the page says that nothing was done */
async function carriedOut(sent: ReturnType<typeof sendForm>): Promise<void> {
  const { status, html } = await sent;
  if (status !== 200) throw new Error(`a form is answered ${status}: ${html}`);
}
