import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Decisions } from '../../../platform/commands/decisions.js';
import { Links } from '../../../platform/links/links.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
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

@CommandHandler(ConfirmEmailChange)
export class ConfirmEmailChangeHandler implements ICommandHandler<ConfirmEmailChange> {
  constructor(
    private readonly decisions: Decisions,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  async execute(command: ConfirmEmailChange): Promise<void> {
    const link = await accountLink(command.tokenHash, 'email', this.readModels);
    const facts = { email: link?.email ?? null, now: Date.now() };
    await this.decisions.decide(usersStream, decideConfirmEmailChange, command, facts);
  }
}

@CommandHandler(VetoEmailChange)
export class VetoEmailChangeHandler implements ICommandHandler<VetoEmailChange> {
  constructor(
    private readonly decisions: Decisions,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  async execute(command: VetoEmailChange): Promise<void> {
    const link = await linkWithVeto(command.vetoHash, this.readModels);
    const facts = { tokenHash: link?._id ?? null, now: Date.now() };
    await this.decisions.decide(usersStream, decideVetoEmailChange, command, facts);
  }
}

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

@CommandHandler(ResetPassword)
export class ResetPasswordHandler implements ICommandHandler<ResetPassword> {
  constructor(
    private readonly decisions: Decisions,
    private readonly passwords: PasswordRule,
  ) {}

  async execute(command: ResetPassword): Promise<void> {
    const facts = { passwordHash: NOT_HASHED, passwords: this.passwords, now: Date.now() };
    await this.decisions.check(usersStream, decideResetPassword, command, facts);
    const passwordHash = await hashPassword(command.password);
    await this.decisions.decide(usersStream, decideResetPassword, command, { ...facts, passwordHash });
  }
}
