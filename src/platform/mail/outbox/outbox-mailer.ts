import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContentKeys } from '../../content-keys/content-keys.js';
import { writeDurably } from '../../files/write-durably.js';
import { MINUTE_MS } from '../../kernel/durations.js';
import { PeriodicTask } from '../../kernel/periodic-task.js';
import { composeMail } from '../compose-mail.js';
import type { Mail, Mailer } from '../mailer.js';
import { headersOf, OutboxFiles } from './outbox-files.js';

interface OutboxMailerOptions {
  readonly directory: string;
  /** Mail address of the sender. */
  readonly sender: string;
  readonly contentKeys: Pick<ContentKeys, 'getMany'>;
  readonly log: { readonly info: (line: string) => void; readonly warn: (line: string) => void };
  readonly now?: () => number;
  /** Milliseconds between two looks for files to remove; default: a minute. */
  readonly every?: number;
}

/**
 * Writes each mail to a file, for another program to send. A repeat writes the same file. A file is removed when the link
 * in it has ended; one without a link after 30 days.
 */
export class OutboxMailer implements Mailer {
  private readonly files: OutboxFiles;
  private readonly sweeps: PeriodicTask;
  private hasFailed = false;

  constructor(private readonly options: OutboxMailerOptions) {
    const { directory, contentKeys, now = Date.now, every = MINUTE_MS } = options;
    this.files = new OutboxFiles(directory, contentKeys, now);
    this.sweeps = new PeriodicTask({ every, firstAfter: 0, ref: false, work: () => this.sweep() });
  }

  /** Makes the folder: operators are told of it before the first mail. */
  async start(): Promise<void> {
    await this.makeFolder();
    this.sweeps.start();
  }

  async close(): Promise<void> {
    await this.sweeps.stop();
  }

  async send(mail: Mail): Promise<void> {
    const { directory, sender, log } = this.options;
    await this.makeFolder();
    const name = `${mail.id}.eml`;
    const file = join(directory, name);
    await writeDurably(file, await composeMail(mail, sender, headersOf(mail)));
    this.files.written(name, mail);
    log.info(`mail to ${mail.to} is in ${file}: ${mail.subject}`);
  }

  private async makeFolder(): Promise<void> {
    await mkdir(this.options.directory, { recursive: true, mode: 0o700 });
  }

  private async sweep(): Promise<void> {
    try {
      const removed = await this.files.removeEnded();
      if (removed > 0) this.options.log.info(`${removed} mails are removed from ${this.options.directory}`);
      this.hasFailed = false;
    } catch (error) {
      if (!this.hasFailed)
        this.options.log.warn(`old mails in ${this.options.directory} stay, trying again: ${String(error)}`);
      this.hasFailed = true;
    }
  }
}
