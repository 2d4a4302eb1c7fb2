import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import type { Engines } from '../../platform/engines/engines.js';
import { botDomain } from '../../platform/kernel/site.js';
import type { Mailer, OnRefused } from '../../platform/mail/mailer.js';
import { OutboxMailer } from '../../platform/mail/outbox/outbox-mailer.js';
import { MailQueue } from '../../platform/mail/queue/mail-queue.js';
import { openSmtp } from '../../platform/mail/smtp/smtp-transport.js';
import { type Config, siteUrl } from './config.js';

type MailConfig = Pick<Config, 'dataDirectory' | 'site' | 'host' | 'smtpUrl' | 'mailFrom'>;

/** Opens the mailer of the settings: mails go to the mail server, or else to files in the data directory's `outbox`. */
export function openMailer(
  config: MailConfig,
  engines: Pick<Engines, 'projectionStore' | 'contentKeys'>,
  onRefused: OnRefused,
): Mailer {
  const logger = new Logger('Mail');
  const log = { info: (line: string) => logger.log(line), warn: (line: string) => logger.warn(line) };
  const sender = senderOf(config);
  const { contentKeys } = engines;
  if (config.smtpUrl === null) return new OutboxMailer({ directory: outboxOf(config), sender, contentKeys, log });
  return new MailQueue({
    documentStore: engines.projectionStore,
    contentKeys,
    transport: openSmtp({ url: config.smtpUrl, sender }),
    onRefused,
    log,
  });
}

/** Says where mails go, for the operator. */
export function mailSaying(config: MailConfig): string {
  if (config.smtpUrl === null)
    return `No mail server is set (ANNALS_SMTP_URL): mails, with the links of those who join, become files in ${outboxOf(config)}`;
  return `Mails are sent by ${new URL(config.smtpUrl).host} from ${senderOf(config)}`;
}

const outboxOf = ({ dataDirectory }: MailConfig): string => join(dataDirectory, 'outbox');

const senderOf = (config: MailConfig): string => config.mailFrom ?? `noreply@${botDomain(siteUrl(config, 0))}`;
