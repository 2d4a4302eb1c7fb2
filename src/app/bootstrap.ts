import { randomBytes } from 'node:crypto';
import type { CommandBus } from '@nestjs/cqrs';
import type { Directory } from '../directory/directory.js';
import type { UserRecord } from '../directory/directory.records.js';
import type { DirectoryFollower } from '../directory/directory-follower.js';
import { ROLES } from '../events/shared/role.js';
import { CreateChannel } from '../features/channels/domain/create-channel.js';
import { CreateOrganization } from '../features/organization/domain/create-organization.js';
import { apiKeyHash, newApiKey } from '../features/users/commands/api-keys.js';
import { CreateUser } from '../features/users/domain/create-user.js';
import { IssueApiKey } from '../features/users/domain/issue-api-key.js';
import { type CommandContext, DomainError } from '../platform/kernel/deciding.js';
import { newEventId } from '../platform/kernel/new-event-id.js';
import { readCredentials, writeCredentials } from './config/owner-credentials.js';

export interface BootstrapOptions {
  readonly organization: string;
  readonly ownerEmail: string;
  readonly ownerName: string;
  /** Password of the owner; absent: a random one. */
  readonly ownerPassword?: string | undefined;
  /** The fewest characters of a password. */
  readonly passwordMinLength: number;
  /** File of the owner's credentials, which clients of this API read. */
  readonly credentialsFile: string;
  /** Public URL of the server. */
  readonly site: string;
}

export interface BootstrapResult {
  readonly credentialsFile: string;
  /** True if this start created the organization. */
  readonly created: boolean;
  /** The owner's random password, if this start chose one. */
  readonly password?: string;
}

/** The first channel of a new organization. */
const FIRST_CHANNEL = { name: 'general', description: 'Everyone, about anything' };

/** Attempts of a step. Processes that start at the same moment make each other fail, once per step at most. */
const MAX_ATTEMPTS = 5;

/**
 * Makes an organization in an empty log: its name, its first owner with a password and an API key, a first channel.
 * Each step looks for its own result first, so it finishes a start that was cut short or overtaken by another process.
 */
export async function bootstrap(
  commands: CommandBus,
  directory: Pick<DirectoryFollower, 'directory' | 'catchUp'>,
  options: BootstrapOptions,
): Promise<BootstrapResult> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await complete(commands, directory.directory, options);
    } catch (error) {
      if (!(error instanceof DomainError) || attempt === MAX_ATTEMPTS) throw error;
      await directory.catchUp();
    }
  }
}

async function complete(
  commands: CommandBus,
  directory: Directory,
  options: BootstrapOptions,
): Promise<BootstrapResult> {
  const by: CommandContext = { actorId: null, client: 'annals', correlationId: newEventId() };
  const created = directory.organization === null;
  await commands.execute(new CreateOrganization({ name: options.organization, by }));

  let password: string | undefined;
  if (directory.allUsers().length === 0) {
    if (options.ownerPassword === undefined) password = newPassword(options.passwordMinLength);
    const account = {
      email: options.ownerEmail,
      fullName: options.ownerName,
      password: options.ownerPassword ?? password ?? null,
      role: ROLES.owner,
    };
    await commands.execute(new CreateUser({ account, by }));
  }

  const [owner] = directory.allUsers();
  if (owner) {
    await giveCredentials(commands, owner, options, by);
    if (directory.allChannels().length === 0) {
      const channel = {
        ...FIRST_CHANNEL,
        inviteOnly: false,
        historyPublicToSubscribers: true,
        subscriberIds: [owner._id],
      };
      await commands.execute(new CreateChannel({ channel, creatorId: owner._id, by }));
    }
  }
  const result = { credentialsFile: options.credentialsFile, created };
  return password === undefined ? result : { ...result, password };
}

/** Writes the file before it issues the key: after a crash in between, the next start issues the file's key. */
async function giveCredentials(
  commands: CommandBus,
  owner: UserRecord,
  options: BootstrapOptions,
  by: CommandContext,
): Promise<void> {
  const { credentialsFile, site } = options;
  const written = await readCredentials(credentialsFile);
  if (owner.isActive && owner.apiKeys.length === 0) {
    const key = written?.key ?? newApiKey();
    await writeCredentials(credentialsFile, { email: owner.email, key, site });
    await commands.execute(new IssueApiKey({ userId: owner._id, keyHash: apiKeyHash(key), by }));
  } else if (written && written.site !== site && owner.apiKeys.some(({ hash }) => hash === apiKeyHash(written.key))) {
    await writeCredentials(credentialsFile, { ...written, site });
  }
}

/** Characters of a random password. Each has six bits. */
const RANDOM_LENGTH = 20;

const newPassword = (least: number): string => {
  const length = Math.max(RANDOM_LENGTH, least);
  return randomBytes(length).toString('base64url').slice(0, length);
};
