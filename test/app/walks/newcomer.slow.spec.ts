import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import zulip from 'zulip-js';
import { eventually } from '../../support/eventually.js';
import { fillForm, openPage } from '../../support/requests/pages.js';
import { RunningServer, temporaryDataDirectory } from '../../support/servers/running-server.js';

const sh = promisify(execFile);
const PASSWORD = 'a good password';

it('a newcomer pastes what the first start prints, and a second person joins and answers', async () => {
  const data = await temporaryDataDirectory();
  let server = await RunningServer.start(data.path, { ANNALS_WELCOME_MESSAGES: 'true' });
  try {
    const printed = await wholeGreeting(server);
    const credentials = await server.owner();
    const password = (await readFile(join(data.path, 'owner.password'), 'utf8')).trim();
    expect(printed).not.toContain(credentials.key);
    expect(printed).not.toContain(password);
    expect(printed).toContain(credentials.email);
    const paste = async (after: string) => {
      const line = new RegExp(`^${after}.*:\n  (curl .*)$`, 'm').exec(printed)?.[1] ?? '';
      const { stdout, stderr } = await sh('sh', ['-c', line]);
      expect(stderr).toBe('');
      return JSON.parse(stdout);
    };

    // The lines are pasted in the order in which they are printed.
    expect(await paste('Send a message')).toMatchObject({ result: 'success', id: expect.any(Number) });
    const { messages } = await paste('Read it back');
    expect(messages).toMatchObject([{ display_recipient: 'general', subject: 'hello', content: expect.any(String) }]);
    const { invite_link: link } = await paste('Make a link');
    expect(link.startsWith(server.url)).toBe(true);

    // The second person opens the link. Without a mail server, the mail is where the start says.
    const email = 'second@example.com';
    expect(await fillForm(link, await openPage(link), { email })).toMatchObject({ status: 200 });
    const outbox = /^No mail server .*?(\/\S+)$/m.exec(printed)?.[1] ?? '';
    const mail = await eventually(async () => {
      const [name = ''] = (await readdir(outbox)).filter((one) => one.endsWith('.eml'));
      expect((await stat(join(outbox, name))).mode & 0o777).toBe(0o600);
      return readFile(join(outbox, name), 'utf8');
    });
    expect(mail).toContain(`To: ${email}`);
    const own = /^http\S+$/m.exec(mail)?.[0].trim() ?? '';
    const joined = await fillForm(own, await openPage(own), { full_name: 'Second', password: PASSWORD });
    expect(joined).toMatchObject({ status: 200, html: expect.stringContaining('Your account is ready') });

    // With the address and the login of the last page, a client gets in.
    const [realm = '', username = ''] = [...joined.html.matchAll(/<strong>(.*?)<\/strong>/g)].map(([, text]) => text);
    const second = await zulip({ username, password: PASSWORD, realm });
    const { subscriptions } = await second.streams.subscriptions.retrieve();
    expect(subscriptions).toMatchObject([{ name: 'general' }]);
    const page = { anchor: 'newest', num_before: 10, num_after: 0, apply_markdown: false } as const;
    await eventually(async () => {
      const greeted = await second.messages.retrieve({ ...page, narrow: [{ operator: 'is', operand: 'dm' }] });
      expect(greeted.messages).toMatchObject([{ content: expect.stringContaining('welcome to Annals') }]);
    });
    const general = [{ operator: 'channel', operand: 'general' }];
    const { messages: before } = await second.messages.retrieve({ ...page, narrow: general });
    expect(before).toMatchObject([{ id: messages[0].id }]);
    const answer = { type: 'stream', to: 'general', topic: 'hello', content: 'Hello back' } as const;
    expect(await second.messages.send(answer)).toMatchObject({ result: 'success' });
    const { messages: newest } = await paste('Read it back');
    expect(newest).toMatchObject([{ sender_full_name: 'Second', content: '<p>Hello back</p>' }]);

    expect(await modesOf(printed, data.path)).toEqual({
      'owner.password': '600',
      'owner.zuliprc': '600',
      outbox: '700',
    });

    // Another start has nothing secret to say.
    await server.stop();
    server = await RunningServer.start(data.path);
    const again = await wholeGreeting(server);
    expect(again).not.toMatch(/password|curl/);
    for (const secret of [credentials.key, password]) expect(again).not.toContain(secret);
    expect(await modesOf(again, data.path)).toEqual({ 'owner.zuliprc': '600', outbox: '700' });
  } finally {
    await server.kill();
    await data.remove();
  }
});

/** All that a start prints; its last line says where mails go. */
const wholeGreeting = (server: RunningServer): Promise<string> =>
  eventually(() => {
    expect(server.printed).toMatch(/^No mail server .*\n/m);
    return server.printed;
  });

/** Modes of the files that a text names, all of which are there. */
async function modesOf(text: string, folder: string): Promise<Record<string, string>> {
  const names = [...text.matchAll(new RegExp(`${folder}/([a-z.]+)`, 'g'))].map(([, name = '']) => name);
  const modes = [...new Set(names)].sort().map(async (name): Promise<[string, string]> => {
    const { mode } = await stat(join(folder, name));
    return [name, (mode & 0o777).toString(8)];
  });
  return Object.fromEntries(await Promise.all(modes));
}
