import MailComposer from 'nodemailer/lib/mail-composer';
import type { Mail } from './mailer.js';

/**
 * The mail in the format of mail servers (RFC 5322).
 * @param sender a mail address
 * @param more headers of one short line each
 */
export function composeMail(
  { id, to, fromName, subject, text, html, at }: Mail,
  sender: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Buffer> {
  const domain = sender.slice(sender.lastIndexOf('@') + 1);
  return new MailComposer({
    from: { name: fromName, address: sender },
    to: { name: '', address: to },
    subject,
    text: text.replace(/\r?\n/g, '\r\n'),
    ...(html === undefined ? {} : { html }),
    date: new Date(at),
    messageId: `<${id}@${domain}>`,
    // Prevents holiday notices in reply (RFC 3834, and what Exchange knows instead), and lets readers sort by sender.
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      'List-Id': { prepared: true, value: `<annals.${domain}>` },
      ...Object.fromEntries(Object.entries(more).map(([name, value]) => [name, { prepared: true, value }])),
    },
  })
    .compile()
    .build();
}
