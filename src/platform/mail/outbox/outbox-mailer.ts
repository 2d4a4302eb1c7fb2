import { mkdir, open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { composeMail } from '../compose-mail.js';
import type { Mail, Mailer } from '../mailer.js';

/** Writes each mail to a file, for another program to send. A repeat writes the same file. */
export class OutboxMailer implements Mailer {
  constructor(
    private readonly directory: string,
    /** Mail address of the sender. */
    private readonly sender: string,
    private readonly log: (line: string) => void,
  ) {}

  async start(): Promise<void> {}

  async close(): Promise<void> {}

  async send(mail: Mail): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    const file = join(this.directory, `${mail.id}.eml`);
    await writeDurably(file, await composeMail(mail, this.sender));
    this.log(`mail to ${mail.to} is in ${file}: ${mail.subject}`);
  }
}

/** Writes a file that appears whole or not at all, readable only by this process's user. */
async function writeDurably(file: string, content: Buffer): Promise<void> {
  const unfinished = `${file}.new`;
  const handle = await open(unfinished, 'w', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, file);
  const directory = await open(dirname(file), 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
