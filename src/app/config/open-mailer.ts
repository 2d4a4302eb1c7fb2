import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { botDomain } from '../../platform/kernel/site.js';
import type { Mailer } from '../../platform/mail/mailer.js';
import { OutboxMailer } from '../../platform/mail/outbox/outbox-mailer.js';
import { type Config, siteUrl } from './config.js';

/** Opens the mailer of the settings: it writes files in the data directory's `outbox`. */
export function openMailer(config: Pick<Config, 'dataDirectory' | 'site' | 'host'>): Mailer {
  const log = new Logger('Mail');
  const sender = `noreply@${botDomain(siteUrl(config, 0))}`;
  return new OutboxMailer(join(config.dataDirectory, 'outbox'), sender, (line) => log.log(line));
}
