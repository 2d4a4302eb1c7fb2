import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import { EndLogin } from '../domain/end-api-keys.js';
import { LogOut } from '../domain/log-out.js';
import { apiKeyHash } from './api-keys.js';

/** A deactivated account can log out, too: a reactivation would give back the key. */
@CommandHandler(LogOut)
export class LogOutHandler implements ICommandHandler<LogOut> {
  constructor(
    private readonly directory: Directory,
    private readonly commands: CommandBus,
  ) {}

  async execute({ key, by }: LogOut): Promise<void> {
    const keyHash = apiKeyHash(key);
    const userId = this.directory.userByKeyHash(keyHash)?._id;
    if (userId === undefined) return;
    await this.commands.execute(new EndLogin({ userId, keyHash, by: { ...by, actorId: userId } }));
  }
}
