import { createTransport } from 'nodemailer';
import { composeMail } from '../compose-mail.js';
import type { Mail } from '../mailer.js';
import { MOST_SENDERS } from '../mailer.js';

/** How a try to send a mail has ended. */
type Delivery =
  /** The mail server has taken the mail. */
  | { readonly outcome: 'sent' }
  /** The mail server will never take it. */
  | { readonly outcome: 'refused'; readonly reason: string; readonly code: number | null }
  /** The mail server is away, or asks to come back. */
  | { readonly outcome: 'later'; readonly reason: string };

/** Sends one mail, once. Never rejects. */
export interface MailTransport {
  deliver(mail: Mail): Promise<Delivery>;
  close(): void;
}

interface SmtpOptions {
  /** `smtp://user:password@host:port`, `smtps://…`. */
  readonly url: string;
  /** Mail address of the sender. */
  readonly sender: string;
}

const CONNECT_MS = 15_000;
const SILENCE_MS = 60_000;

/** Opens pooled connections to a mail server with the first mail. Passwords are sent only over TLS, or to this machine. */
export function openSmtp({ url, sender }: SmtpOptions): MailTransport {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === 'smtps:';
  const host = hostname.replace(/^\[|\]$/g, '');
  const smtp = createTransport({
    pool: true,
    maxConnections: MOST_SENDERS,
    host,
    port: Number(port) || (secure ? 465 : 587),
    secure,
    requireTLS: !secure && username !== '' && !isThisMachine(host),
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async deliver(mail) {
      try {
        const raw = await composeMail(mail, sender);
        await smtp.sendMail({ envelope: { from: sender, to: [mail.to] }, raw });
        return { outcome: 'sent' };
      } catch (error) {
        return failed(error);
      }
    },
    close: () => smtp.close(),
  };
}

const isThisMachine = (host: string): boolean => host === 'localhost' || host === '::1' || /^127\./.test(host);

/** Codes of nodemailer for an answer about this mail: its envelope, or its content. */
const ABOUT_THE_MAIL: readonly unknown[] = ['EENVELOPE', 'EMESSAGE'];

/** A server's 5xx about the mail is final. All else may pass: no connection, a wrong password, a full mailbox (4xx). */
function failed(error: unknown): Delivery {
  const { code, responseCode, message } = error as { code?: string; responseCode?: number; message?: string };
  const reason = message ?? String(error);
  const isFinal = ABOUT_THE_MAIL.includes(code) && (responseCode === undefined || responseCode >= 500);
  return isFinal ? { outcome: 'refused', reason, code: responseCode ?? null } : { outcome: 'later', reason };
}
