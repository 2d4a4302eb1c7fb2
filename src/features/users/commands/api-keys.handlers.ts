import { randomInt } from 'node:crypto';
import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import { Decisions } from '../../../platform/commands/decisions.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { newEventId } from '../../../platform/kernel/ids.js';
import { sha256Of } from '../../../platform/kernel/sha256.js';
import { AccessLog } from '../../accesses/services/access-log.js';
import {
  decideRegenerateApiKey,
  decideRegenerateBotApiKey,
  EndLogin,
  IssueApiKey,
  type LoggedIn,
  LogIn,
  LogOut,
  RegenerateApiKey,
  RegenerateBotApiKey,
} from '../domain/api-keys.js';
import type { WebhookSecrets } from '../domain/bots.js';
import { usersStream } from '../services/users-stream.js';
import { keeperOf } from './caller-facts.js';
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

@CommandHandler(RegenerateApiKey)
export class RegenerateApiKeyHandler implements ICommandHandler<RegenerateApiKey> {
  constructor(private readonly decisions: Decisions) {}

  /** @returns the key */
  async execute(command: RegenerateApiKey): Promise<string> {
    const key = newApiKey();
    await this.decisions.decide(usersStream, decideRegenerateApiKey, command, { keyHash: apiKeyHash(key) });
    return key;
  }
}

@CommandHandler(RegenerateBotApiKey)
export class RegenerateBotApiKeyHandler implements ICommandHandler<RegenerateBotApiKey> {
  constructor(
    private readonly directory: Directory,
    private readonly decisions: Decisions,
  ) {}

  /** @returns the key */
  async execute(command: RegenerateBotApiKey): Promise<string> {
    const key = newApiKey();
    const facts = { keeper: keeperOf(command.by, this.directory), keyHash: apiKeyHash(key) };
    await this.decisions.decide(usersStream, decideRegenerateBotApiKey, command, facts);
    return key;
  }
}
