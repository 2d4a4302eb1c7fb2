import MailComposer from 'nodemailer/lib/mail-composer';
import type { Mail } from './mailer.js';

/** The mail in the format of mail servers (RFC 5322). @param sender a mail address */
export function composeMail({ id, to, fromName, subject, text, at }: Mail, sender: string): Promise<Buffer> {
  const domain = sender.slice(sender.lastIndexOf('@') + 1);
  return new MailComposer({
    from: { name: fromName, address: sender },
    to: { name: '', address: to },
    subject,
    text: text.replace(/\r?\n/g, '\r\n'),
    date: new Date(at),
    messageId: `<${id}@${domain}>`,
    // Prevents holiday notices in reply (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
  })
    .compile()
    .build();
}
