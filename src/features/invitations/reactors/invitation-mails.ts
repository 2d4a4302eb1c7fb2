import {
  INVITATIONS_STREAM,
  type InvitationEvent,
  type InvitationResent,
  type InvitationSent,
  type JoinConfirmationSent,
} from '../../../events/invitations/invitations.events.js';
import { type ReactorContext, reactor } from '../../../platform/consumers/reactor.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import { derivedId } from '../../../platform/kernel/ids.js';
import type { MailLane } from '../../../platform/mail/mailer.js';
import { Accounts } from '../../users/reactors/accounts.js';
import { confirmUrl } from '../domain/link-urls.js';
import { confirmationLetter, invitationLetter, type Letter } from './letters.js';

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
