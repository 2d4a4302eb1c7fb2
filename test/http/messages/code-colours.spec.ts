import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { Annals, type Member } from '../../support/servers/annals.js';

describe('code in messages', () => {
  let annals: Annals;
  let owner: Member;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
  });
  afterAll(() => annals.stop());

  const send = async (content: string): Promise<number> => {
    const { status, body } = await owner.api.post('/messages', { type: 'direct', to: [owner.id], content });
    expect(status).toBe(200);
    return body.id;
  };
  const contentOf = async (id: number): Promise<string> =>
    (await owner.api.get(`/messages/${id}`, { apply_markdown: true })).body.message.content;

  /** Sends it until a busy machine has coloured it in time. */
  const coloured = (text: string, html: string): Promise<number> =>
    eventually(async () => {
      const id = await send(text);
      expect(await contentOf(id)).toBe(html);
      return id;
    });

  const block = (name: string, html: string): string =>
    `<div class="codehilite" data-code-language="${name}"><pre><span></span><code>${html}\n</code></pre></div>`;
  const TS =
    '<span class="kd">let</span> <span class="nx">a</span> <span class="o">=</span> ' +
    `<span class="s1">'&lt;b&gt;'</span><span class="p">;</span>`;
  const SQL = '<span class="k">SELECT</span> <span class="mi">1</span><span class="p">;</span>';

  it('is coloured as it is sent, edited and rendered, whatever alias names its language', async () => {
    const text = "```ts\nlet a = '<b>';\n```\n\n> x\n\n```quote\n~~~ SQL\nSELECT 1;\n~~~\n```";
    const quoted = `<blockquote>\n<p>x</p>\n</blockquote>\n<blockquote>\n${block('SQL', SQL)}\n</blockquote>`;
    const html = `${block('TypeScript', TS)}\n${quoted}`;
    const id = await coloured(text, html);
    expect((await owner.api.post('/messages/render', { content: text })).body.rendered).toBe(html);
    expect((await owner.api.patch(`/messages/${id}`, { content: '```sql\nSELECT 1;\n```' })).status).toBe(200);
    expect(await contentOf(id)).toBe(block('SQL', SQL));
  });

  it('is sent plain if its colours would take too long, as is code of half its length, and holds up nobody', async () => {
    const hostile = 'a'.repeat(9_000);
    expect(await contentOf(await send(`\`\`\`coffee\n${hostile}\n\`\`\``))).toBe(block('CoffeeScript', hostile));
    const half = 'a = 1\n'.repeat(800).trimEnd();
    const text = `\`\`\`sql\nSELECT 1;\n\`\`\`\n\`\`\`coffee\n${half}\n\`\`\``;
    await coloured(text, `${block('SQL', SQL)}\n${block('CoffeeScript', half)}`);
  });

  it('is coloured in the language that the organization has set, if it names none', async () => {
    expect((await owner.api.patch('/realm', { default_code_block_language: 'sql' })).status).toBe(200);
    await coloured('```\nSELECT 1;\n```', block('SQL', SQL));
  });
});
