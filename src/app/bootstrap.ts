import { rm } from 'node:fs/promises';
import type { CommandBus } from '@nestjs/cqrs';
import type { Directory } from '../directory/directory.js';
import type { UserRecord } from '../directory/directory.records.js';
import type { DirectoryFollower } from '../directory/directory-follower.js';
import { ROLES } from '../events/shared/role.js';
import { CreateChannel } from '../features/channels/domain/create-channel.js';
import { AddDefaultChannel } from '../features/organization/domain/default-channels.js';
import { CreateOrganization } from '../features/organization/domain/organization.js';
import { apiKeyHash, newApiKey } from '../features/users/commands/api-keys.handlers.js';
import { IssueFirstApiKey } from '../features/users/domain/api-keys.js';
import { CreateUser } from '../features/users/domain/create-user.js';
import { writeDurably } from '../platform/files/write-durably.js';
import { type CommandContext, DomainError } from '../platform/kernel/deciding.js';
import { newEventId } from '../platform/kernel/ids.js';
import { randomPassword, readCredentials, writeCredentials } from './config/owner-credentials.js';

interface BootstrapOptions {
  readonly organization: string;
  readonly ownerEmail: string;
  readonly ownerName: string;
  /** Password of the owner; absent: a random one. */
  readonly ownerPassword?: string | undefined;
  /** The fewest characters of a password. */
  readonly passwordMinLength: number;
  /** File that a random password is written to; null: whoever starts the server is shown it. */
  readonly passwordFile: string | null;
  /** File of the owner's credentials, which clients of this API read. */
  readonly credentialsFile: string;
  /** Public URL of the server. */
  readonly site: string;
}

export interface BootstrapResult {
  readonly credentialsFile: string;
  /** True if this start created the organization. */
  readonly created: boolean;
  /** The owner's random password, if this start chose one: itself, or the file that has it. */
  readonly password?: OwnPassword;
}

export type OwnPassword = { readonly shown: string } | { readonly file: string };

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
  follower: Pick<DirectoryFollower, 'directory' | 'catchUp'>,
  options: BootstrapOptions,
): Promise<BootstrapResult> {
  const { directory } = follower;
  const by: CommandContext = { actorId: null, client: 'annals', correlationId: newEventId() };
  const attempt = async <T>(step: () => Promise<T>): Promise<T> => {
    for (let count = 1; ; count++) {
      try {
        return await step();
      } catch (error) {
        if (!(error instanceof DomainError) || count === MAX_ATTEMPTS) throw error;
        await follower.catchUp();
      }
    }
  };
  const { credentialsFile } = options;
  const created = directory.organization === null;
  await attempt(() => commands.execute(new CreateOrganization({ name: options.organization, by })));
  const password = await attempt(() => makeOwner(commands, directory, options, by));
  const [owner] = directory.allUsers();
  if (owner) {
    await attempt(() => makeFirstChannel(commands, directory, owner._id, by));
    // Last: without a key, the next start knows that this one was cut short.
    await attempt(() => giveCredentials(commands, directory.user(owner._id) ?? owner, options, by));
  }
  return { credentialsFile, created, ...(password && { password }) };
}

/** @returns the random password that this start chose */
async function makeOwner(
  commands: CommandBus,
  directory: Directory,
  options: BootstrapOptions,
  by: CommandContext,
): Promise<OwnPassword | undefined> {
  if (directory.allUsers().length > 0) return undefined;
  const { ownerEmail: email, ownerName: fullName, ownerPassword, passwordFile, passwordMinLength } = options;
  const password = ownerPassword ?? randomPassword(passwordMinLength);
  const file = ownerPassword === undefined ? passwordFile : null;
  // Before there is an account with the password: a crash in between leaves a file that the next start writes anew.
  if (file) await writeDurably(file, `${password}\n`);
  try {
    await commands.execute(new CreateUser({ account: { email, fullName, password, role: ROLES.owner }, by }));
  } catch (error) {
    // Another process has made the owner, with another password.
    if (file && error instanceof DomainError) await rm(file);
    throw error;
  }
  if (ownerPassword !== undefined) return undefined;
  return file ? { file } : { shown: password };
}

/** Makes the first channel, which is a default one: whoever comes later is in it. */
async function makeFirstChannel(
  commands: CommandBus,
  directory: Directory,
  ownerId: number,
  by: CommandContext,
): Promise<void> {
  if (directory.allChannels().length === 0) {
    const channel = { ...FIRST_CHANNEL, inviteOnly: false, historyPublicToSubscribers: true, subscriberIds: [ownerId] };
    await commands.execute(new CreateChannel({ channel, creatorId: ownerId, by }));
  }
  const [first, ...others] = directory.allChannels();
  const owner = directory.user(ownerId);
  const isUnfinished = owner?.isActive === true && owner.apiKeys.length === 0 && others.length === 0;
  if (isUnfinished && first && directory.organization?.defaultChannelIds.length === 0)
    await commands.execute(new AddDefaultChannel({ channelId: first._id, callerId: ownerId, by }));
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
    const issue = new IssueFirstApiKey({ userId: owner._id, keyHash: apiKeyHash(key), by });
    // An owner whose keys have ended logs in: a file would have a key that is not valid.
    if (!(await commands.execute(issue)) && !written) await rm(credentialsFile);
  } else if (written && written.site !== site && owner.apiKeys.some(({ hash }) => hash === apiKeyHash(written.key))) {
    await writeCredentials(credentialsFile, { ...written, site });
  }
}
