import { IsEmail, IsOptional, ValidateBy } from 'class-validator';
import { isSmtpUrl } from './addresses.js';
import { type CommandName, FromSetting } from './config-setting.js';

const THAT_SEND_MAIL: readonly CommandName[] = ['start', 'projections'];

const IsSmtpUrl = (): PropertyDecorator => ValidateBy({ name: 'isSmtpUrl', validator: { validate: isSmtpUrl } });

/** Settings of mail. */
export class MailConfig {
  /** null: mails are written to files. */
  @FromSetting({
    environment: 'ANNALS_SMTP_URL',
    flag: '--smtp-url <url>',
    about: "mail server that sends mails; without it, they are written to the data directory's folder outbox",
    allowed: 'an smtp:// or smtps:// URL, such as smtp://user:password@mail.example.org:587',
    default: null,
    commands: THAT_SEND_MAIL,
    secret: true,
  })
  @IsOptional()
  @IsSmtpUrl()
  readonly smtpUrl!: string | null;

  /** null: `noreply@` the site's domain. */
  @FromSetting({
    environment: 'ANNALS_MAIL_FROM',
    flag: '--mail-from <address>',
    about: "address that mails come from; without it, noreply@ the site's domain",
    allowed: 'a mail address, such as noreply@example.org',
    default: null,
    commands: THAT_SEND_MAIL,
  })
  @IsOptional()
  @IsEmail({ require_tld: false })
  readonly mailFrom!: string | null;
}
