import { MAX_EMAIL, MAX_FULL_NAME, MAX_PASSWORD } from '../../../events/users/users.settings.js';
import { DomainError, type RefusalCode } from '../../../platform/kernel/deciding.js';
import { markup, NOTHING } from '../../../platform/pages/markup.js';
import { form, type Page, page, saying } from '../../../platform/pages/page.js';
import { wayIn } from '../../page/http/way-in.js';
import type { PageSettings } from '../../page/page.settings.js';
import type { FoundLink } from '../queries/invitations.queries.js';

/** A form that was not accepted. */
interface Refused {
  readonly problem: string;
  readonly status: number;
}

const PROBLEMS: { readonly [Code in RefusalCode]?: string } = {
  NAME_EMPTY: 'Enter your name.',
  NAME_TOO_LONG: `The name is too long: at most ${MAX_FULL_NAME} characters.`,
  NAME_INVALID: 'The name has characters that are not allowed.',
  NAME_TAKEN: 'Somebody else has this name. Choose another one.',
  PASSWORD_TOO_LONG: `The password is too long: at most ${MAX_PASSWORD} characters.`,
  PASSWORD_TOO_WEAK: 'The password is too short.',
  INVALID_NEW_EMAIL: 'This is not a mail address.',
  EMAIL_TAKEN: 'This address has an account already. Log in with it.',
};

/** Shows the form again if what was filled in is refused. Other failures have pages of their own. */
export async function orForm(work: () => Promise<Page>, again: (refused: Refused) => Page): Promise<Page> {
  try {
    return await work();
  } catch (error) {
    const problem = error instanceof DomainError ? PROBLEMS[error.code] : undefined;
    if (problem === undefined) throw error;
    return again({ problem, status: 400 });
  }
}

/** Asks for the name and the password of a new account. */
export function registerPage(
  key: string,
  { email, organization, inviter }: FoundLink,
  leastPassword: number,
  fullName = '',
  refused?: Refused,
): Page {
  const body = markup`<p>${inviter} has invited you. Choose your name and a password for the new account.</p>
${form({
  action: '/accounts/register/',
  hidden: { key },
  fields: [
    {
      name: 'email',
      label: 'Mail address',
      type: 'email',
      autocomplete: 'username',
      value: email ?? '',
      isFixed: true,
    },
    {
      name: 'full_name',
      label: 'Your name',
      type: 'text',
      autocomplete: 'name',
      value: fullName,
      maxLength: MAX_FULL_NAME,
      hint: 'Others see this name.',
    },
    {
      name: 'password',
      label: 'Password',
      type: 'password',
      autocomplete: 'new-password',
      minLength: leastPassword,
      maxLength: MAX_PASSWORD,
      hint: `At least ${leastPassword} characters.`,
    },
  ],
  button: 'Join',
  problem: refused?.problem,
})}`;
  return page({ title: `Join ${organization}`, body, status: refused?.status ?? 200 });
}

/** Asks for the address to which a confirmation is mailed. */
export function joinPage(key: string, { organization, inviter }: FoundLink, email = '', refused?: Refused): Page {
  const body = markup`<p>${inviter} invites everybody who has this link. We mail you a link of your own, with which you make your account.</p>
${form({
  action: `/join/${key}/`,
  fields: [
    {
      name: 'email',
      label: 'Your mail address',
      type: 'email',
      autocomplete: 'email',
      value: email,
      maxLength: MAX_EMAIL,
    },
  ],
  button: 'Send me the link',
  problem: refused?.problem,
})}`;
  return page({ title: `Join ${organization}`, body, status: refused?.status ?? 200 });
}

export const mailSentPage = (email: string): Page =>
  saying(
    'Look into your mail',
    `We have sent a link to ${email}. It is valid for a day. With it, you make your account.`,
  );

export function joinedPage({ organization, site, email }: FoundLink, settings: PageSettings): Page {
  const body = markup`<p>Your account is ready.</p>
${wayIn(settings)}
${settings.isServed ? markup`<p>Or use an app:</p>` : NOTHING}
<ol>
<li>Open an app that speaks the Zulip API, such as Zulip Terminal.</li>
<li>Give it the address of this server: <strong>${site}</strong></li>
<li>Log in with <strong>${email ?? ''}</strong> and your new password.</li>
</ol>`;
  return page({ title: `Welcome to ${organization}`, body });
}
