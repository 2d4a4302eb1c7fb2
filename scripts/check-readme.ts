// Starts the server as the README says, stops it, kills it and starts it again, and runs the README's other commands.
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withScratch } from '../test/support/scratch.js';
import { freePort } from './free-port.js';
import { mustSay, run, startAnnals } from './processes.js';
import { blocksOf, commandOf, commandsOf } from './readme.js';
import { ROOT } from './transpile.js';

await withScratch(async (folder) => {
  const data = join(folder, 'data');
  const options = { cwd: ROOT, environment: { ANNALS_DATA_DIR: data, ANNALS_PORT: String(await freePort()) } };
  await rm(join(ROOT, 'dist'), { recursive: true, force: true });
  const command = commandOf(/^npm install && npm start$/);

  const first = await startAnnals(command, options);
  const [send, read] = first.curlLines;
  await mustSay('"result":"success"', send);
  await first.stop('SIGTERM');

  const second = await startAnnals(command, options);
  if (second.output.includes('Building')) throw new Error('nothing has changed, and it was built again');
  if (second.output.includes('curl')) throw new Error("a later start prints a first start's text");
  await mustSay('Hello from curl', read);
  await second.stop('SIGKILL');

  const third = await startAnnals(command, options);
  await mustSay('Hello from curl', read);
  // Within the checkout, where the client library is found.
  const example = join(ROOT, 'node_modules/.cache/readme-example.mjs');
  await writeFile(example, blocksOf('js').replaceAll("'data/", `'${data}/`));
  await run(`node ${example}`, options);
  await mustSay('Hello from a client', read);
  for (const operating of commandsOf(/^npx annals (log|rebuild|grant)/)) {
    console.log(`$ ${operating}`);
    console.log((await run(operating, options)).trimEnd().split('\n').slice(-3).join('\n'));
  }
  await mustSay('Hello from a client', read);
  await third.stop('SIGTERM');

  // Without a server.
  await run(commandOf(/^npx annals rebuild$/), options);
  const elsewhere = join(folder, 'elsewhere');
  const copy = commandOf(/^npx annals copy --from data --to elsewhere$/);
  await mustSay(
    `to ${elsewhere} in `,
    copy.replace('--from data', `--from ${data}`).replace('--to elsewhere', `--to ${elsewhere}`),
    options,
  );
  if (existsSync(join(data, 'server.json'))) throw new Error('server.json was left behind');
});
