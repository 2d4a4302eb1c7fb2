import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { describeMongodb } from '../support/engines/mongodb.js';
import { eventually } from '../support/eventually.js';
import { sendForm } from '../support/requests/pages.js';
import { Fleet } from '../support/servers/fleet.js';

const EMAIL = 'ann@example.org';
const PASSWORD = 'a good password';

/** The mails that the workers have written. */
async function mailsOf({ workers }: Fleet): Promise<string[]> {
  const mails: string[] = [];
  for (const { dataDirectory } of workers) {
    const folder = join(dataDirectory, 'outbox');
    const files = await readdir(folder).catch(() => []);
    for (const file of files) if (file.endsWith('.eml')) mails.push(await readFile(join(folder, file), 'utf8'));
  }
  return mails;
}

describeMongodb('invitations on many processes', () => {
  it('are mailed once, used at one of two processes, and good for a login at each', async () => {
    const fleet = await Fleet.start({ apis: 2, workers: 2 });
    try {
      const urls = [fleet.api(0).url, fleet.api(1).url];
      const owner = await fleet.owner(1);
      expect((await owner.post('invites', { invitee_emails: EMAIL, stream_ids: [1] })).msg).toBe('');
      const [mail = ''] = await eventually(async () => {
        const mails = await mailsOf(fleet);
        expect(mails).toHaveLength(1);
        return mails;
      });
      const key = /do_confirm\/([a-z2-7]{24})/.exec(mail.replace(/=\r\n/g, ''))?.[1] ?? '';

      const form = { key, full_name: 'Ann Lee', password: PASSWORD };
      const answers = await Promise.all(urls.map((url) => sendForm(`${url}/accounts/register/`, form)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
      for (const index of [0, 1]) {
        const at = await fleet.owner(index);
        const { result } = await at.post('fetch_api_key', { username: EMAIL, password: PASSWORD });
        expect(result).toBe('success');
        expect((await at.get('invites')).invites).toEqual([]);
        const members = (await at.get('users')).members as { delivery_email: string }[];
        expect(members.filter((one) => one.delivery_email === EMAIL)).toHaveLength(1);
      }
      expect(await mailsOf(fleet)).toHaveLength(1);
    } finally {
      await fleet.stop();
    }
  }, 240_000);
});
