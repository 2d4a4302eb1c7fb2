import {
  INVITATIONS_STREAM,
  type InvitationEvent,
  type InvitationResent,
  type InvitationSent,
  type JoinConfirmationSent,
} from '../../../events/invitations/invitations.events.js';
import { type ReactorContext, reactor } from '../../../platform/consumers/reactor.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import { derivedId, newEventId } from '../../../platform/kernel/ids.js';
import { letterOf } from '../../../platform/mail/letter.js';
import type { Mail, MailLane, RefusedMails } from '../../../platform/mail/mailer.js';
import { Accounts } from '../../users/reactors/accounts.js';
import { invitations } from '../domain/invitations.state.js';
import { decideRefuseInvitationMail, RefuseInvitationMail } from '../domain/manage-invitation.js';
import { confirmUrl } from '../domain/send-invitations.js';

interface LetterFacts {
  readonly organization: string;
  /** The inviter's name as mails show it; null: they do not. */
  readonly inviter: string | null;
  /** The link of the mail. */
  readonly url: string;
  /** Milliseconds since 1970; null: never. */
  readonly expiresAt: number | null;
}

type Content = Pick<Mail, 'fromName' | 'subject' | 'text' | 'html'>;

type Letter = (facts: LetterFacts) => Content;

const SOMEBODY = 'Somebody';

const invitationLetter: Letter = ({ organization, inviter, url, expiresAt }) => ({
  fromName: inviter === null ? organization : `${inviter} (via ${organization})`,
  subject: `${inviter ?? SOMEBODY} has invited you to join ${organization}`,
  ...letterOf({
    greeting: 'Hello,',
    paragraphs: [
      `${inviter ?? SOMEBODY} wants you to join ${organization}. Choose a name and a password, and your account is ready.`,
    ],
    link: { label: 'Accept the invitation', url },
    after: [
      ...(expiresAt === null ? [] : [`The invitation is valid until ${shown(expiresAt)}.`]),
      'If you do not want to join, ignore this mail. Your address is deleted when the invitation ends.',
    ],
  }),
});

const confirmationLetter: Letter = ({ organization, url, expiresAt }) => ({
  fromName: organization,
  subject: `Confirm your address to join ${organization}`,
  ...letterOf({
    greeting: 'Hello,',
    paragraphs: [`you have asked to join ${organization} with this address.`],
    link: { label: 'Confirm the address and join', url },
    after: [
      ...(expiresAt === null ? [] : [`The link is valid until ${shown(expiresAt)}.`]),
      'If it was not you who asked, ignore this mail: no account is made.',
    ],
  }),
});

/** `3 December 2026, 17:45 UTC` */
const shown = (time: number): string =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(time).replace(' at ', ', ')} UTC`;

/** Mails an invitation. */
export const invitationMail = reactor<InvitationSent>({
  name: 'invitation-mail',
  on: 'InvitationSent',
  open: (context) => {
    const post = mailing(context, { lane: 'invitations', write: invitationLetter });
    return (event) => post(event, event);
  },
});

/** Mails the link of an invitation again. */
export const repeatedInvitationMail = reactor<InvitationResent>({
  name: 'repeated-invitation-mail',
  on: 'InvitationResent',
  open: (context) => {
    const post = mailing(context, { lane: 'invitations', write: invitationLetter });
    const sent = new SentInvitations(context);
    return async (event) => {
      const invitation = await sent.withId(event.data.invitationId);
      return invitation !== null && post(event, invitation);
    };
  },
});

/** Mails a link of their own to somebody who uses a link for many. */
export const joinConfirmationMail = reactor<JoinConfirmationSent>({
  name: 'join-confirmation-mail',
  on: 'JoinConfirmationSent',
  open: (context) => {
    // Somebody waits for it in front of the page.
    const post = mailing(context, { lane: 'account', write: confirmationLetter });
    return (event) => post(event, event);
  },
});

type WithLink = Recorded<InvitationSent | JoinConfirmationSent>;

/** @returns sends the mail about an event; false if its link has ended meanwhile */
function mailing(
  { mailer, links, site, log, codec }: ReactorContext,
  { lane, write }: { readonly lane: MailLane; readonly write: Letter },
) {
  const accounts = new Accounts(log, codec, site);
  return async (cause: Recorded, { type, data }: WithLink): Promise<boolean> => {
    const { invitee, keyId, inviterId, expiresAt } = data;
    const token = (await links.tokensOf([keyId])).get(keyId);
    if (invitee === null || token === undefined) return false;
    const organization = await accounts.organizationName();
    const inviter = (await accounts.withId(inviterId))?.fullName ?? null;
    const url = confirmUrl(site(), token);
    await mailer.send({
      id: derivedId('invitation-mail', cause.id),
      lane,
      to: invitee.email,
      ...write({ organization, inviter, url, expiresAt }),
      at: cause.metadata.at,
      link: { keyId, expiresAt },
      // Nobody manages a confirmation.
      ...(type === 'InvitationSent' ? { about: { name: 'invitation', id: data.invitationId } } : {}),
    });
    return true;
  };
}

const PAGE = 1000;

/** Finds invitations in the log by their id. Each call first reads the stream to its end. */
class SentInvitations {
  private readonly revisionById = new Map<number, number>();
  private next = 0;

  constructor(private readonly context: Pick<ReactorContext, 'log' | 'codec'>) {}

  async withId(invitationId: number): Promise<Recorded<InvitationSent> | null> {
    const { log, codec } = this.context;
    await this.readOn();
    const from = this.revisionById.get(invitationId);
    if (from === undefined) return null;
    const [event] = (await codec.decode(
      await log.readStream(INVITATIONS_STREAM, { from, limit: 1 }),
    )) as Recorded<InvitationEvent>[];
    return event?.type === 'InvitationSent' ? (event as Recorded<InvitationSent>) : null;
  }

  private async readOn(): Promise<void> {
    for (;;) {
      const page = await this.context.log.readStream(INVITATIONS_STREAM, { from: this.next, limit: PAGE });
      for (const { type, data, revision } of page)
        if (type === 'InvitationSent') this.revisionById.set(Number(data.invitationId), revision);
      this.next += page.length;
      if (page.length < PAGE) return;
    }
  }
}

/** Lets the inviter see that an invitation did not arrive. */
export const refusedInvitationMails: RefusedMails = {
  about: 'invitation',
  record: async ({ id, at }, refusal, runner) => {
    const by = { actorId: null, client: 'annals', correlationId: newEventId() };
    await runner.decide({
      stream: INVITATIONS_STREAM,
      decider: invitations,
      expects: 'any',
      decide: decideRefuseInvitationMail,
      command: new RefuseInvitationMail({ invitationId: id, mailedAt: at, refusal, by }),
      context: { now: Date.now() },
      by,
    });
  },
};
