// Starts the server as the README says, stops it, kills it and starts it again, and runs the README's other commands. Fails if
// the README has a command of Annals that was not run.
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withScratch } from '../test/support/scratch.js';
import { freePort } from './free-port.js';
import { mustSay, run, startAnnals } from './processes.js';
import { blocksOf, commandOf, commandsOf } from './readme.js';
import { ROOT } from './transpile.js';

/** Commands of the README that were run, as it has them. */
const wereRun = new Set<string>();

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
  const proofs = join(folder, 'proofs.json');
  for (const operating of commandsOf(/^npx annals (?!copy |backup |restore )/)) {
    console.log(`$ ${operating}`);
    const said = await run(operating.replace('--output proofs.json', `--output ${proofs}`), options);
    console.log(said.trimEnd().split('\n').slice(-3).join('\n'));
    wereRun.add(operating);
  }
  const inFolder = (_: string, space: string, name: string): string => `${space}${join(folder, name)}`;
  for (const line of commandsOf(/^npx annals (?:backup|restore) /)) {
    console.log(`$ ${line}`);
    console.log(
      (await run(line.replaceAll(/(?<!annals)( )(backup-keys|backup|restored)\b/g, inFolder), options)).trimEnd(),
    );
    wereRun.add(line);
  }
  const key = (await run(commandOf(/^npx annals key$/), options)).trim();
  await mustSay('is event ', `node bin/verify.mjs '${proofs}' --key '${key}'`, options);
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
  wereRun.add(copy);
  if (existsSync(join(data, 'server.json'))) throw new Error('server.json was left behind');
});

const notRun = commandsOf(/\bannals /).filter((line) => !wereRun.has(line));
if (notRun.length > 0) throw new Error(`no check runs these commands of README.md:\n${notRun.join('\n')}`);
