import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { AccessLog } from '../../accesses/commands/access-log.js';
import { IssueApiKey } from '../domain/issue-api-key.js';
import { type LoggedIn, LogIn } from '../domain/log-in.js';
import { apiKeyHash, newApiKey } from './api-keys.js';
import { passwordMatches } from './passwords.js';

/** Each login makes a new key. Keys of other devices stay valid. */
@CommandHandler(LogIn)
export class LogInHandler implements ICommandHandler<LogIn> {
  constructor(
    private readonly directory: Directory,
    private readonly commands: CommandBus,
    private readonly accesses: AccessLog,
  ) {}

  async execute({ email, password, by }: LogIn): Promise<LoggedIn> {
    const user = this.directory.userByEmail(email);
    const matches = await passwordMatches(password, user?.passwordHash ?? null);
    if (!user || !matches) refuse('AUTHENTICATION_FAILED');
    if (!user.isActive) refuse('USER_DEACTIVATED');
    const key = newApiKey();
    const asUser = { ...by, actorId: user._id };
    await this.commands.execute(new IssueApiKey({ userId: user._id, keyHash: apiKeyHash(key), by: asUser }));
    this.accesses.record({ type: 'LoggedIn', data: { userId: user._id } }, asUser);
    return { api_key: key, email: user.email, user_id: user._id };
  }
}
