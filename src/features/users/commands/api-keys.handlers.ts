import { randomInt } from 'node:crypto';
import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { newEventId } from '../../../platform/kernel/ids.js';
import { sha256Of } from '../../../platform/kernel/sha256.js';
import { AccessLog } from '../../accesses/services/access-log.js';
import { EndLogin, IssueApiKey, LogIn, type LoginResult, LogOut } from '../domain/api-keys.js';
import type { WebhookSecrets } from '../domain/bots.js';
import { passwordMatches } from './passwords.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const API_KEY_LENGTH = 32;

export function newApiKey(): string {
  return Array.from({ length: API_KEY_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** SHA-256, hexadecimal: the stored form of a key. A random key of 190 bits needs no slow hash. */
export function apiKeyHash(key: string): string {
  return sha256Of(key);
}

/** A function gives the key, so that no event can hold it by mistake. */
export function newKeyWithHash(): { readonly apiKey: () => string; readonly keyHash: string } {
  const key = newApiKey();
  return { apiKey: () => key, keyHash: apiKeyHash(key) };
}

/** A token has the form of a key. */
export const newWebhookSecrets = (): WebhookSecrets => ({ keyId: newEventId(), token: newApiKey() });

/** Each login makes a new key. Keys of other devices stay valid. */
@CommandHandler(LogIn)
export class LogInHandler implements ICommandHandler<LogIn> {
  constructor(
    private readonly directory: Directory,
    private readonly commands: CommandBus,
    private readonly accesses: AccessLog,
  ) {}

  async execute({ email, password, by }: LogIn): Promise<LoginResult> {
    const user = this.directory.userByEmail(email);
    const matches = await passwordMatches(password, user?.passwordHash ?? null);
    if (!user || !matches) refuse('AUTHENTICATION_FAILED');
    if (!user.isActive) refuse('USER_DEACTIVATED');
    const { apiKey, keyHash } = newKeyWithHash();
    const asUser = { ...by, actorId: user._id };
    await this.commands.execute(new IssueApiKey({ userId: user._id, keyHash, by: asUser }));
    this.accesses.record({ type: 'LoggedIn', data: { userId: user._id } }, asUser);
    return { api_key: apiKey(), email: user.email, user_id: user._id };
  }
}

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
