import type { ContentKeys } from '../../content-keys/content-keys.js';
import { newContentKey, type Sealed, seal, unseal } from '../../content-keys/seal.js';
import type { Collection, DocumentDatabase, DocumentStore, StoredDocument } from '../../documents/document-store.js';
import type { Json } from '../../kernel/json.js';
import { WakingLoop } from '../../kernel/waking-loop.js';
import { endedAmong } from '../ended-links.js';
import { MAIL_LANES, type MailLane, SENDERS } from '../lanes.js';
import type { Mail, Mailer } from '../mailer.js';
import type { MailRefusal, OnRefused } from '../refused-mails.js';
import type { MailTransport } from '../smtp/smtp-transport.js';

const DATABASE = 'mails';
const MAILS = 'mails';
const PAGE = 100;
const SECOND_MS = 1000;
const HOUR_MS = 3600 * SECOND_MS;
const DAY_MS = 24 * HOUR_MS;
const CLOSING_MS = 5 * SECOND_MS;
const FIRST_PAUSE_MS = 30 * SECOND_MS;
/** A mail that the mail server does not take for so long is given up. */
const LONGEST_TRYING_MS = 3 * DAY_MS;
/** Ids of finished mails are kept for so long: a repeat of one of them is not sent. */
const REMEMBERED_MS = 30 * DAY_MS;

/** A mail that waits, or one that is finished, of which only the id is left. */
interface MailDocument extends StoredDocument {
  /** The mail's id. */
  readonly _id: string;
  readonly lane: MailLane;
  /** Milliseconds since 1970, as all times here. */
  readonly queuedAt: number;
  /** When the next try is due; absent once finished. */
  readonly dueAt?: number;
  readonly tries: number;
  /** The mail under a content key of its own; absent once finished. */
  readonly mail?: Sealed;
  readonly finishedAt?: number;
  /** Set if the mail will never be sent, and this is yet to be recorded. */
  readonly refusal?: MailRefusal;
}

export interface MailQueueOptions {
  readonly documentStore: DocumentStore;
  readonly contentKeys: ContentKeys;
  readonly transport: MailTransport;
  readonly onRefused: OnRefused;
  readonly log: { readonly info: (line: string) => void; readonly warn: (line: string) => void };
  readonly now?: () => number;
}

/**
 * Keeps mails until the mail server has taken them. A mail enters once by its id, and is tried until it is sent, refused,
 * or three days old. A mail that has to wait holds no other up, and no lane another.
 *
 * The content is sealed under a key that is destroyed as soon as the mail is sent: that is how it is known as sent. A crash
 * after the mail server's answer and before this repeats the mail, with the same Message-ID.
 */
export class MailQueue implements Mailer {
  private database: DocumentDatabase | null = null;
  private readonly loops: ReadonlyMap<MailLane, WakingLoop>;
  private readonly now: () => number;

  constructor(private readonly options: MailQueueOptions) {
    this.now = options.now ?? Date.now;
    this.loops = new Map(MAIL_LANES.map((lane) => [lane, new WakingLoop((signal) => this.sendDue(lane, signal))]));
  }

  async start(): Promise<void> {
    this.database = await this.options.documentStore.database(DATABASE);
    await this.database.ensure({
      [MAILS]: {
        indexes: [{ keys: { lane: 1, dueAt: 1 } }, { keys: { finishedAt: 1 }, sparse: true }],
      },
    });
    for (const loop of this.loops.values()) loop.start();
  }

  async send(mail: Mail): Promise<void> {
    const mails = this.mails();
    if (await mails.findOne({ _id: mail.id })) return;
    const keyId = keyIdOf(mail.id);
    const { key } = await this.options.contentKeys.putIfAbsent(keyId, newContentKey());
    const now = this.now();
    const sealed = seal(mail as unknown as Json, keyId, key);
    await this.replace({ _id: mail.id, lane: mail.lane, queuedAt: now, dueAt: now, tries: 0, mail: sealed });
    this.loops.get(mail.lane)?.wake();
  }

  async close(): Promise<void> {
    // A try that hangs is left: the next start repeats it.
    await Promise.all([...this.loops.values()].map((loop) => loop.stop(CLOSING_MS)));
    this.options.transport.close();
    await this.database?.close();
  }

  private async sendDue(lane: MailLane, signal: AbortSignal): Promise<number> {
    try {
      return await this.sendAllDue(lane, signal);
    } catch (error) {
      this.options.log.warn(`mails cannot be looked for: ${String(error)}`);
      return FIRST_PAUSE_MS;
    }
  }

  /** Tries every mail of the lane that is due. @returns milliseconds until another is due */
  private async sendAllDue(lane: MailLane, signal: AbortSignal): Promise<number> {
    const mails = this.mails();
    await mails.deleteMany({ finishedAt: { $lt: this.now() - REMEMBERED_MS } });
    for (;;) {
      const due = await mails.find({ lane, dueAt: { $lte: this.now() } }, { sort: { dueAt: 1 }, limit: PAGE });
      if (due.length === 0 || signal.aborted) break;
      const waiting = [...due];
      const senders = Array.from({ length: SENDERS[lane] }, async () => {
        for (let next = waiting.shift(); next && !signal.aborted; next = waiting.shift()) await this.tryToSend(next);
      });
      await Promise.all(senders);
    }
    const [next] = await mails.find({ lane, dueAt: { $gt: 0 } }, { sort: { dueAt: 1 }, limit: 1 });
    return Math.min(HOUR_MS, Math.max(SECOND_MS, (next?.dueAt ?? Number.POSITIVE_INFINITY) - this.now()));
  }

  private async tryToSend(document: MailDocument): Promise<void> {
    const { contentKeys, transport, log } = this.options;
    const { _id, mail: sealed, queuedAt } = document;
    const keyId = keyIdOf(_id);
    const key = (await contentKeys.getMany([keyId])).get(keyId);
    if (!key || !sealed) return this.finish(document);
    const mail = unseal(sealed, key) as unknown as Mail;
    if (mail.link && (await endedAmong([mail.link], contentKeys, this.now())).size > 0) {
      log.info(`mail ${_id} is not sent, because its link has ended`);
      return this.finish(document);
    }
    if (document.refusal) return this.giveUp(document, mail, document.refusal);
    const delivery = await transport.deliver(mail);
    const tries = document.tries + 1;
    if (delivery.outcome === 'sent') {
      log.info(`mail ${_id} is sent`);
      return this.finish(document);
    }
    if (delivery.outcome === 'refused') {
      log.warn(`mail ${_id} is given up, because the mail server refuses it: ${delivery.reason}`);
      return this.giveUp(document, mail, { reason: 'refused', code: delivery.code });
    }
    if (this.now() - queuedAt >= LONGEST_TRYING_MS) {
      log.warn(`mail ${_id} is given up after ${tries} tries: ${delivery.reason}`);
      return this.giveUp(document, mail, { reason: 'given up', code: null });
    }
    const wait = await this.postpone(document);
    log.warn(`mail ${_id} is tried again in ${wait / SECOND_MS} s: ${delivery.reason}`);
  }

  /** Finishes a mail that will never be sent once this is recorded. A crash in between repeats the try. */
  private async giveUp(document: MailDocument, mail: Mail, refusal: MailRefusal): Promise<void> {
    try {
      await this.options.onRefused(mail, refusal);
    } catch (error) {
      const wait = await this.postpone({ ...document, refusal });
      const line = `that mail ${document._id} is given up cannot be recorded, trying again in ${wait / SECOND_MS} s`;
      return this.options.log.warn(`${line}: ${String(error)}`);
    }
    await this.finish(document);
  }

  /** @returns milliseconds until the next try */
  private async postpone(document: MailDocument): Promise<number> {
    const wait = Math.min(HOUR_MS, FIRST_PAUSE_MS * 2 ** Math.min(document.tries, 10));
    await this.replace({ ...document, tries: document.tries + 1, dueAt: this.now() + wait });
    return wait;
  }

  /** Destroys the key first: a mail without a key is finished, whatever its document says. */
  private async finish({ _id, lane, queuedAt, tries }: MailDocument): Promise<void> {
    await this.options.contentKeys.destroy([keyIdOf(_id)]);
    await this.replace({ _id, lane, queuedAt, tries: tries + 1, finishedAt: this.now() });
  }

  private async replace(document: MailDocument): Promise<void> {
    await this.mails().replaceOne({ _id: document._id }, document, { upsert: true });
  }

  private mails(): Collection<MailDocument> {
    if (!this.database) throw new Error('the queue of mails is not started');
    return this.database.collection<MailDocument>(MAILS);
  }
}

const keyIdOf = (mailId: string): string => `mail-${mailId}`;
