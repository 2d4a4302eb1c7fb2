import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../directory/directory.js';
import { may } from '../../directory/permissions.js';
import { ChangeOwnAccount, decideChangeOwnAccount } from '../domain/change-own-account.js';
import { hashPassword, passwordMatches } from './passwords.js';
import { UsersStream } from './users-stream.js';

@CommandHandler(ChangeOwnAccount)
export class ChangeOwnAccountHandler implements ICommandHandler<ChangeOwnAccount, boolean> {
  constructor(
    private readonly directory: Directory,
    private readonly stream: UsersStream,
  ) {}

  /** @returns whether anything has changed */
  async execute(command: ChangeOwnAccount): Promise<boolean> {
    const { directory, stream } = this;
    const { password } = command.changes;
    const actor = stream.actor(command.by);
    // Hashes are work: the second only for who knows the first.
    const currentHash = actor?.passwordHash ?? null;
    const knownHash = password && (await passwordMatches(password.old, currentHash)) ? currentHash : null;
    const events = await stream.decide(command, decideChangeOwnAccount, {
      mayRename: !directory.setting('name_changes_disabled') || may(actor, 'administer', directory),
      uniqueNames: stream.uniqueNames,
      knownHash,
      passwordHash: password && knownHash !== null ? await hashPassword(password.to) : null,
    });
    return events.length > 0;
  }
}
