import type { ContentKeys } from '../../content-keys/content-keys.js';
import { newContentKey, type Sealed, seal, unseal } from '../../content-keys/seal.js';
import type { DocumentDatabase, DocumentStore } from '../../documents/document-store.js';
import { HOUR_MS, SECOND_MS } from '../../kernel/durations.js';
import type { Json } from '../../kernel/json.js';
import type { QueuedTask, TaskResult } from '../../tasks/task.js';
import { type Patience, TaskQueue } from '../../tasks/task-queue.js';
import { endedAmong, type Mail, type Mailer, type MailLane, type OnRefused, SENDERS } from '../mailer.js';
import type { MailTransport } from '../smtp/smtp-transport.js';

const DATABASE = 'mails';
const MAILS = 'mails';

const PATIENCE: Patience = {
  firstPause: 30 * SECOND_MS,
  longestPause: HOUR_MS,
  longestTrying: 3 * 24 * HOUR_MS,
  closing: 5 * SECOND_MS,
};

const WORDS = { task: (id: string) => `mail ${id}`, tasks: 'mails', receiver: 'the mail server' };

/** A mail that waits, by its id, or one that is finished. */
interface MailTask extends QueuedTask {
  readonly lane: MailLane;
  /** The mail under a content key of its own; absent once finished. */
  readonly mail?: Sealed;
}

interface MailQueueOptions {
  readonly documentStore: DocumentStore;
  readonly contentKeys: ContentKeys;
  readonly transport: MailTransport;
  readonly onRefused: OnRefused;
  readonly log: { readonly info: (line: string) => void; readonly warn: (line: string) => void };
  readonly now?: () => number;
}

/**
 * Keeps mails until the mail server has taken them, refuses them, or they are three days old.
 *
 * The content is sealed under a key that is destroyed as soon as the mail is sent: that is how it is known as sent. A
 * crash after the mail server's answer and before this repeats the mail, with the same Message-ID.
 */
export class MailQueue implements Mailer {
  private database: DocumentDatabase | null = null;
  private opened: TaskQueue<MailTask> | null = null;
  private readonly now: () => number;

  constructor(private readonly options: MailQueueOptions) {
    this.now = options.now ?? Date.now;
  }

  async start(): Promise<void> {
    const { documentStore, onRefused, log } = this.options;
    this.database = await documentStore.database(DATABASE);
    await this.database.ensure({
      // Leaves TASK_INDEXES out: MongoDB refuses other options for an index that is already there.
      [MAILS]: { indexes: [{ keys: { lane: 1, dueAt: 1 } }, { keys: { finishedAt: 1 }, sparse: true }] },
    });
    this.opened = new TaskQueue<MailTask>({
      tasks: this.database.collection<MailTask>(MAILS),
      lanes: SENDERS,
      patience: PATIENCE,
      perform: (task) => this.sendOne(task),
      recordRefusal: async (task, refusal) => {
        const mail = await this.wanted(task);
        if (mail) await onRefused(mail, refusal);
      },
      erase: (task) => this.erase(task),
      words: WORDS,
      warn: log.warn,
      now: this.now,
    });
    this.opened.start();
  }

  async send(mail: Mail): Promise<void> {
    const { id: _id, lane } = mail;
    const queue = this.opened;
    if (!queue) throw new Error('the queue of mails is not started');
    if (await queue.has(_id)) return;
    const keyId = keyIdOf(_id);
    const { key } = await this.options.contentKeys.putIfAbsent(keyId, newContentKey());
    await queue.add({ ...queue.entering(), _id, lane, mail: seal(mail as unknown as Json, keyId, key) });
    queue.wake();
  }

  async close(): Promise<void> {
    await this.opened?.close();
    this.options.transport.close();
    await this.database?.close();
  }

  private async sendOne(task: MailTask): Promise<TaskResult<MailTask>> {
    const mail = await this.wanted(task);
    if (!mail) return { outcome: 'done' };
    const delivery = await this.options.transport.deliver(mail);
    if (delivery.outcome !== 'sent') return delivery;
    this.options.log.info(`mail ${task._id} is sent`);
    return { outcome: 'done' };
  }

  /** Opens a mail. @returns null if it was sent, or its link has ended */
  private async wanted({ _id, mail: sealed }: MailTask): Promise<Mail | null> {
    const { contentKeys, log } = this.options;
    const keyId = keyIdOf(_id);
    const key = (await contentKeys.getMany([keyId])).get(keyId);
    if (!key || !sealed) return null;
    const mail = unseal(sealed, key) as unknown as Mail;
    if (!mail.link || (await endedAmong([mail.link], contentKeys, this.now())).size === 0) return mail;
    log.info(`mail ${_id} is not sent, because its link has ended`);
    return null;
  }

  /** Destroys the key: a mail without a key is finished, whatever its document says. */
  private async erase({ _id, lane, queuedAt, tries }: MailTask): Promise<MailTask> {
    await this.options.contentKeys.destroy([keyIdOf(_id)]);
    return { _id, lane, queuedAt, tries: tries + 1 };
  }
}

const keyIdOf = (mailId: string): string => `mail-${mailId}`;
