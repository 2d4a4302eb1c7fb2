import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Facts } from '../../../directory/facts.js';
import { decidesOn } from '../../../platform/commands/decides-on.js';
import { Decisions } from '../../../platform/commands/decisions.js';
import { Links } from '../../../platform/links/links.js';
import { PasswordRule } from '../domain/password.js';
import {
  ConfirmEmailChange,
  decideConfirmEmailChange,
  decideRequestPasswordReset,
  decideResetPassword,
  decideVetoEmailChange,
  RequestPasswordReset,
  ResetPassword,
  VetoEmailChange,
} from '../domain/use-account-link.js';
import { accountLink, linkWithVeto } from '../queries/account-links.queries.js';
import { usersStream } from '../services/users-stream.js';
import { hashPassword, NOT_HASHED } from './passwords.js';

export const accountLinkHandlers = [
  decidesOn(ConfirmEmailChange, {
    stream: usersStream,
    decide: decideConfirmEmailChange,
    uses: Facts,
    facts: async ({ tokenHash }, { readModels }) => {
      const link = await accountLink(tokenHash, 'email', readModels);
      return { email: link?.email ?? null, now: Date.now() };
    },
  }),
  decidesOn(VetoEmailChange, {
    stream: usersStream,
    decide: decideVetoEmailChange,
    uses: Facts,
    facts: async ({ vetoHash }, { readModels }) => {
      const link = await linkWithVeto(vetoHash, readModels);
      return { tokenHash: link?._id ?? null, now: Date.now() };
    },
  }),
  decidesOn(ResetPassword, {
    stream: usersStream,
    decide: decideResetPassword,
    uses: PasswordRule,
    facts: (_command, passwords) => ({ passwordHash: NOT_HASHED, passwords, now: Date.now() }),
    costlyFacts: async ({ password }, facts) => ({ ...facts, passwordHash: await hashPassword(password) }),
  }),
];

@CommandHandler(RequestPasswordReset)
export class RequestPasswordResetHandler implements ICommandHandler<RequestPasswordReset> {
  constructor(
    private readonly decisions: Decisions,
    private readonly links: Links,
  ) {}

  async execute(command: RequestPasswordReset): Promise<void> {
    await this.links.withNew(1, async ([link]) => {
      if (!link) throw new Error('no key for a link');
      const facts = { ...link, now: Date.now() };
      return (await this.decisions.decide(usersStream, decideRequestPasswordReset, command, facts)).events;
    });
  }
}
