import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MailServer } from '../../support/outside/mail-server.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const OWNER_LIMIT = 30;

describe('who floods strangers with invitations', () => {
  let mail: MailServer;
  let annals: Annals;
  let owner: Member;

  beforeAll(async () => {
    mail = await MailServer.start();
    annals = await Annals.start({
      ANNALS_SMTP_URL: mail.url,
      ANNALS_INVITATIONS_PER_ADMINISTRATOR: String(OWNER_LIMIT),
      ANNALS_INVITATIONS_PER_ORGANIZATION: '130',
    });
    owner = await annals.owner();
  });
  afterAll(async () => {
    await annals?.stop();
    await mail.stop();
  });

  const addresses = (prefix: string, count: number): string[] =>
    Array.from({ length: count }, (_, index) => `${prefix}${index}@example.org`);
  const invite = async (member: Member, to: readonly string[]) =>
    (await member.api.post('/invites', { invitee_emails: to.join(), stream_ids: [] })).body;
  const invited = async (): Promise<number> =>
    (await annals.events('invitations')).filter(({ type }) => type === 'InvitationSent').length;

  it('gets a hundred through as a member, however they are sent', async () => {
    const flooder = await annals.user('flooder');
    const targets = addresses('a', 300);
    const answers = await Promise.all(targets.map((target) => invite(flooder, [target])));
    expect(answers.filter(({ result }) => result === 'success')).toHaveLength(100);
    expect(await invited()).toBe(100);
    expect(await invite(flooder, addresses('b', 2))).toMatchObject({
      code: 'INVITATION_FAILED',
      errors: [],
      sent_invitations: false,
      license_limit_reached: false,
      daily_limit_reached: true,
    });

    // A repeat of an invitation is a mail, too.
    const { invites } = (await flooder.api.get('/invites')).body;
    const repeats = await Promise.all(
      invites.map(async ({ id }: { id: number }) => (await flooder.api.post(`/invites/${id}/resend`)).body.result),
    );
    expect(new Set(repeats)).toEqual(new Set(['error']));
    await mail.mailTo('a0@example.org');
    expect((await annals.events('invitations')).map(({ type }) => type)).not.toContain('InvitationResent');
  });

  it('meets the organization’s limit with others, and all limits after a restart', async () => {
    expect((await invite(owner, addresses('c', OWNER_LIMIT))).result).toBe('success');
    await annals.restart();
    owner = await annals.owner();
    expect(await invite(owner, ['d@example.org'])).toMatchObject({ daily_limit_reached: true });
    const other = await annals.user('other');
    expect(await invite(other, ['d@example.org'])).toMatchObject({
      daily_limit_reached: true,
      msg: 'This organization has sent as many invitations as it may in a day. Try again tomorrow.',
    });
    expect(await invited()).toBe(130);
  });
});
