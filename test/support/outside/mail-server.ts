import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { eventually } from '../eventually.js';

export interface ReceivedMail {
  readonly to: string;
  /** The mail in the format of mail servers. */
  readonly raw: string;
  /** Its plain text, with the lines as written. */
  readonly text: string;
  /** Its links. */
  readonly links: readonly string[];
  readonly id: string;
}

/** Tells what the mail server answers to a mail: nothing special, or a code such as 450 (later) or 550 (never). */
type Answer = (to: string) => number | undefined;

/** A real SMTP server that keeps the mails that it takes. */
export class MailServer {
  readonly mails: ReceivedMail[] = [];
  /** Tries, refused ones included, by addressee. */
  readonly tries: string[] = [];
  answer: Answer = () => undefined;
  /** Waits before it takes a mail to an address. */
  holds: (to: string) => Promise<void> | undefined = () => undefined;
  private server: SMTPServer | null = null;
  private port = 0;

  static async start(): Promise<MailServer> {
    const own = new MailServer();
    await own.listen();
    return own;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  /** Listens, after `stop` on the same port again. */
  async listen(): Promise<void> {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      disableReverseLookup: true,
      logger: false,
      // A sender keeps its connection open between mails.
      closeTimeout: 100,
      onRcptTo: ({ address }, _session, done) => {
        this.tries.push(address);
        done(this.refusalOf(address));
      },
      onData: (stream, { envelope }, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', async () => {
          const to = envelope.rcptTo[0]?.address ?? '';
          await this.holds(to);
          const refusal = this.refusalOf(to);
          if (refusal) return done(refusal);
          this.mails.push(received(to, Buffer.concat(chunks).toString('utf8')));
          done();
        });
      },
    });
    this.server = server;
    await new Promise<void>((resolve, reject) => {
      server.on('error', reject);
      server.listen(this.port, '127.0.0.1', resolve);
    });
    this.port = (server.server.address() as AddressInfo).port;
  }

  private refusalOf(to: string): Error | null {
    const responseCode = this.answer(to);
    return responseCode === undefined ? null : Object.assign(new Error('not this one'), { responseCode });
  }

  async stop(): Promise<void> {
    const { server } = this;
    this.server = null;
    if (server) await new Promise<void>((resolve) => server.close(resolve));
  }

  /** Waits for a mail to an address, the newest if there are several. */
  mailTo(address: string, atLeast = 1): Promise<ReceivedMail> {
    return eventually(() => {
      const found = this.mails.filter(({ to }) => to === address);
      const newest = found.at(-1);
      if (!newest || found.length < atLeast) throw new Error(`${found.length} mails to ${address}`);
      return newest;
    });
  }
}

function received(to: string, raw: string): ReceivedMail {
  const text = quotedPrintable(partOf(raw, 'text/plain'));
  const links = [...text.matchAll(/https?:\/\/\S+/g)].map(([link]) => link);
  return { to, raw, text, links, id: /^Message-ID: <(.*)>\r$/m.exec(raw)?.[1] ?? '' };
}

/** The body of the part with this type, or of a mail without parts. */
function partOf(raw: string, type: string): string {
  const [, boundary] = /boundary="([^"]+)"/.exec(raw) ?? [];
  const parts = boundary === undefined ? [raw] : raw.split(`--${boundary}`);
  const part = parts.findLast((one) => one.includes(`Content-Type: ${type}`)) ?? raw;
  return part.slice(part.indexOf('\r\n\r\n') + 4);
}

const quotedPrintable = (body: string): string =>
  Buffer.from(
    body
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
      .replace(/\r\n/g, '\n'),
    'latin1',
  ).toString('utf8');
