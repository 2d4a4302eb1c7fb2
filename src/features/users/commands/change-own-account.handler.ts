import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import { actorOf, may } from '../../../directory/permissions.js';
import { Decisions } from '../../../platform/commands/decisions.js';
import { Links, type NewLinkWithVeto } from '../../../platform/links/links.js';
import { ChangeOwnAccount, type ChangeOwnAccountFacts, decideChangeOwnAccount } from '../domain/change-own-account.js';
import { PasswordRule } from '../domain/password.js';
import { usersStream } from '../services/users-stream.js';
import { uniqueNamesIn } from './caller-facts.js';
import { hashPassword, NOT_HASHED, passwordMatches } from './passwords.js';

const NO_LINK: NewLinkWithVeto = { keyId: '', tokenHash: '', vetoHash: '' };

@CommandHandler(ChangeOwnAccount)
export class ChangeOwnAccountHandler implements ICommandHandler<ChangeOwnAccount> {
  constructor(
    private readonly directory: Directory,
    private readonly decisions: Decisions,
    private readonly links: Links,
    private readonly passwords: PasswordRule,
  ) {}

  /** @returns whether anything changed */
  async execute(command: ChangeOwnAccount): Promise<boolean> {
    const facts = await this.hashed(command, await this.facts(command));
    const { email } = command.changes;
    const isMailed = email !== undefined && email !== this.directory.user(command.userId)?.email;
    const events = await this.links.withNew(isMailed ? 1 : 0, async ([link = NO_LINK]) => {
      const context = { ...facts, link: { ...link, now: Date.now() } };
      return (await this.decisions.decide(usersStream, decideChangeOwnAccount, command, context)).events;
    });
    return events.length > 0;
  }

  /** Hashes the new password if nothing makes the command be refused. */
  private async hashed<Facts extends Omit<ChangeOwnAccountFacts, 'link'>>(
    command: ChangeOwnAccount,
    facts: Facts,
  ): Promise<Facts> {
    const { password } = command.changes;
    if (!password) return facts;
    const context = { ...facts, link: { ...NO_LINK, now: Date.now() } };
    await this.decisions.check(usersStream, decideChangeOwnAccount, command, context);
    return { ...facts, passwordHash: await hashPassword(password.to) };
  }

  private async facts({ changes, by }: ChangeOwnAccount): Promise<Omit<ChangeOwnAccountFacts, 'link'>> {
    const { directory } = this;
    const { password, oldPassword: given = password?.old } = changes;
    const actor = actorOf(by, directory);
    const isAdministrator = may(actor, 'administer', directory);
    const currentHash = actor?.passwordHash ?? null;
    const knownHash = given !== undefined && (await passwordMatches(given, currentHash)) ? currentHash : null;
    return {
      mayRename: !directory.setting('name_changes_disabled') || isAdministrator,
      mayChangeEmail: !directory.setting('email_changes_disabled') || isAdministrator,
      uniqueNames: uniqueNamesIn(directory),
      knownHash,
      passwordHash: password ? NOT_HASHED : null,
      passwords: this.passwords,
    };
  }
}
