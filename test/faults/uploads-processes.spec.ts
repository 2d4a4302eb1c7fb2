import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { describeMongodb } from '../support/engines/mongodb.js';
import { ask, fileOf, upload } from '../support/requests/uploads.js';
import { Fleet } from '../support/servers/fleet.js';

describeMongodb('uploaded files on many processes', () => {
  it('are the same on every process, wherever they are uploaded, linked to or deleted', async () => {
    const fleet = await Fleet.start({ apis: 2, workers: 1 });
    try {
      const [one, two] = [fleet.api(0).url, fleet.api(1).url];
      const { credentials } = await fleet.owner();
      const owner = { email: credentials.email, apiKey: credentials.key };
      const bytes = randomBytes(700_000);

      const { status, body } = await upload(one, owner, fileOf(bytes, 'b.png', 'image/png'));
      expect(status).toBe(200);
      expect((await ask(two, body.url, owner)).bytes.equals(bytes)).toBe(true);
      const sent = await (await fleet.owner(1)).post('messages', {
        type: 'channel',
        to: 'general',
        topic: 't',
        content: `[b](${body.url})`,
      });
      const listed = (await ask(one, '/api/v1/attachments', owner)).body.attachments;
      expect(listed).toEqual([expect.objectContaining({ messages: [expect.objectContaining({ id: sent.id })] })]);

      // One process signs a link that the other accepts.
      const link = (await ask(one, `/api/v1${body.url}`, owner)).body.url;
      expect((await ask(two, link, null)).bytes.equals(bytes)).toBe(true);

      const gone = await ask(two, `/api/v1/attachments/${listed[0].id}`, owner, { method: 'DELETE' });
      expect(gone.body).toMatchObject({ result: 'success' });
      for (const at of [one, two]) {
        expect((await ask(at, link, null)).status).toBe(404);
        expect((await ask(at, body.url, owner)).status).toBe(404);
      }
    } finally {
      await fleet.stop();
    }
  }, 240_000);
});
