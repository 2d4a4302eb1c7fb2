import MailComposer from 'nodemailer/lib/mail-composer';
import type { Mail } from './mailer.js';

/** The mail as mail servers pass it on (RFC 5322). @param sender an address */
export function composeMail({ id, to, fromName, subject, text, at }: Mail, sender: string): Promise<Buffer> {
  const domain = sender.slice(sender.lastIndexOf('@') + 1);
  return new MailComposer({
    from: { name: fromName, address: sender },
    to: { name: '', address: to },
    subject,
    text: text.replace(/\r?\n/g, '\r\n'),
    date: new Date(at),
    messageId: `<${id}@${domain}>`,
    // Holiday notices are not to be sent in reply (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
  })
    .compile()
    .build();
}
