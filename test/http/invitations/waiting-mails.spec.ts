import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { MailServer } from '../../support/outside/mail-server.js';
import { Annals } from '../../support/servers/annals.js';

describe('an invitation whose mail waits', () => {
  let mail: MailServer;
  let annals: Annals;

  beforeAll(async () => {
    mail = await MailServer.start();
    annals = await Annals.start({ ANNALS_SMTP_URL: mail.url, ANNALS_INVITATION_PAUSE_SECONDS: '0' });
  });
  afterAll(async () => {
    await annals?.stop();
    await mail.stop();
  });

  const invite = async (to: string) => {
    const owner = await annals.owner();
    const { body } = await owner.api.post('/invites', { invitee_emails: to, stream_ids: [] });
    expect(body).toEqual({ result: 'success', msg: '' });
  };
  const waits = (to: string) => eventually(() => expect(mail.tries).toContain(to));

  it('is listed after the documents are lost, and mailed when somebody mails it again', async () => {
    mail.answer = () => 450;
    await invite('waits@example.org');
    await waits('waits@example.org');
    await annals.restart(() => annals.removeDocuments());
    mail.answer = () => undefined;
    await invite('later@example.org');
    await mail.mailTo('later@example.org');
    const owner = await annals.owner();
    const { invites } = (await owner.api.get('/invites')).body;
    const { id } = invites.find(({ email }: { email: string }) => email === 'waits@example.org');
    expect(mail.mails.map(({ to }) => to)).toEqual(['later@example.org']);
    expect((await owner.api.post(`/invites/${id}/resend`)).body).toEqual({ result: 'success', msg: '' });
    await mail.mailTo('waits@example.org');
    expect(mail.mails).toHaveLength(2);
  });
});
