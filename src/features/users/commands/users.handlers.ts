import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import { actorOf, may } from '../../../directory/permissions.js';
import { decidesOn, fromFirst } from '../../../platform/commands/decides-on.js';
import { Decisions } from '../../../platform/commands/decisions.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { botDomain, SITE } from '../../../platform/kernel/site.js';
import { renderMarkdown } from '../../markdown/render-markdown.js';
import {
  DeactivateOwnUser,
  DeactivateUser,
  decideDeactivateOwnUser,
  decideDeactivateUser,
  decideReactivateUser,
  ReactivateUser,
} from '../domain/activity.js';
import {
  decideEndApiKey,
  decideEndLogin,
  decideEndOthersApiKey,
  decideEndUnusedApiKeys,
  decideIssueApiKey,
  decideIssueFirstApiKey,
  EndApiKey,
  EndLogin,
  EndOthersApiKey,
  EndUnusedApiKeys,
  IssueApiKey,
  IssueFirstApiKey,
} from '../domain/api-keys.js';
import {
  CreateBot,
  type CreatedBot,
  DeactivateBot,
  decideCreateBot,
  decideDeactivateBot,
  decideUpdateBot,
  UpdateBot,
} from '../domain/bots.js';
import { CreateUser, decideCreateUser } from '../domain/create-user.js';
import {
  decideGrantPermission,
  decideRevokePermission,
  GrantPermission,
  RevokePermission,
} from '../domain/grant-permission.js';
import { PasswordRule } from '../domain/password.js';
import { decideSetPassword, SetPassword } from '../domain/set-password.js';
import { decideUpdateUser, UpdateUser } from '../domain/update-user.js';
import { decideEndOldAccountLinks, EndOldAccountLinks } from '../domain/use-account-link.js';
import { NewAccountSources, usersStream } from '../services/users-stream.js';
import { apiKeyHash, newApiKey, newWebhookSecrets } from './api-keys.handlers.js';
import { botCreationBy, keeperOf, rankOf, uniqueNamesIn } from './caller-facts.js';
import { hashPassword, NOT_HASHED } from './passwords.js';

export const userHandlers = [
  decidesOn(CreateUser, {
    stream: usersStream,
    decide: decideCreateUser,
    uses: NewAccountSources,
    facts: ({ account: { password }, by }, { directory, passwords }) => {
      const channelIds = directory.organization?.defaultChannelIds ?? [];
      return {
        isAdministrator: rankOf(by, directory).isAdministrator,
        mayCreate: may(actorOf(by, directory), 'can_create_users', directory),
        passwordHash: password === null ? null : NOT_HASHED,
        passwords,
        uniqueNames: uniqueNamesIn(directory),
        channelIds: channelIds.filter((id) => directory.channel(id)?.isArchived === false),
      };
    },
    costlyFacts: async ({ account: { password } }, facts) => ({
      ...facts,
      passwordHash: password === null ? null : await hashPassword(password),
    }),
    answer: fromFirst(({ data }) => data.userId),
  }),
  decidesOn(UpdateUser, {
    stream: usersStream,
    decide: decideUpdateUser,
    uses: Directory,
    facts: ({ by }, directory) => ({
      ...rankOf(by, directory),
      mayChangeEmails: may(actorOf(by, directory), 'can_change_user_emails', directory),
      uniqueNames: uniqueNamesIn(directory),
      profileFields: directory.organization?.profileFields ?? [],
      render: renderMarkdown,
    }),
  }),
  decidesOn(DeactivateUser, {
    stream: usersStream,
    decide: decideDeactivateUser,
    uses: Directory,
    facts: ({ by }, directory) => rankOf(by, directory),
  }),
  decidesOn(DeactivateOwnUser, { stream: usersStream, decide: decideDeactivateOwnUser }),
  decidesOn(ReactivateUser, {
    stream: usersStream,
    decide: decideReactivateUser,
    uses: Directory,
    facts: ({ by }, directory) => ({
      keeper: { id: by.actorId, ...rankOf(by, directory) },
      ...botCreationBy(by, directory),
    }),
  }),
  decidesOn(UpdateBot, {
    stream: usersStream,
    decide: decideUpdateBot,
    uses: Directory,
    facts: ({ by }, directory) => ({
      keeper: keeperOf(by, directory),
      uniqueNames: uniqueNamesIn(directory),
      secrets: newWebhookSecrets(),
    }),
  }),
  decidesOn(DeactivateBot, {
    stream: usersStream,
    decide: decideDeactivateBot,
    uses: Directory,
    facts: ({ by }, directory) => keeperOf(by, directory),
  }),
  decidesOn(SetPassword, {
    stream: usersStream,
    decide: decideSetPassword,
    uses: PasswordRule,
    facts: (_command, passwords) => ({ passwordHash: NOT_HASHED, passwords }),
    costlyFacts: async ({ password }, facts) => ({ ...facts, passwordHash: await hashPassword(password) }),
  }),
  decidesOn(IssueApiKey, { stream: usersStream, decide: decideIssueApiKey }),
  decidesOn(IssueFirstApiKey, {
    stream: usersStream,
    decide: decideIssueFirstApiKey,
    answer: (events) => events.length > 0,
  }),
  decidesOn(EndOldAccountLinks, {
    stream: usersStream,
    decide: decideEndOldAccountLinks,
    facts: () => ({ now: Date.now() }),
  }),
  decidesOn(EndApiKey, { stream: usersStream, decide: decideEndApiKey }),
  decidesOn(EndOthersApiKey, {
    stream: usersStream,
    decide: decideEndOthersApiKey,
    uses: Directory,
    facts: ({ by }, directory) => rankOf(by, directory),
  }),
  decidesOn(EndLogin, { stream: usersStream, decide: decideEndLogin }),
  decidesOn(EndUnusedApiKeys, { stream: usersStream, decide: decideEndUnusedApiKeys }),
  decidesOn(GrantPermission, {
    stream: usersStream,
    decide: decideGrantPermission,
    // Answers whether anything changed.
    answer: (events) => events.length > 0,
  }),
  decidesOn(RevokePermission, {
    stream: usersStream,
    decide: decideRevokePermission,
    answer: (events) => events.length > 0,
  }),
];

@CommandHandler(CreateBot)
export class CreateBotHandler implements ICommandHandler<CreateBot> {
  constructor(
    private readonly directory: Directory,
    private readonly decisions: Decisions,
    @Inject(SITE) private readonly site: () => string,
  ) {}

  async execute(command: CreateBot): Promise<CreatedBot> {
    const { directory } = this;
    const { id: ownerId } = keeperOf(command.by, directory);
    if (ownerId === null) refuse('BOT_OWNER_UNKNOWN');
    const apiKey = newApiKey();
    const { events } = await this.decisions.decide(usersStream, decideCreateBot, command, {
      ownerId,
      keyHash: apiKeyHash(apiKey),
      uniqueNames: uniqueNamesIn(directory),
      domain: botDomain(this.site()),
      secrets: newWebhookSecrets(),
      ...botCreationBy(command.by, directory),
    });
    const [created] = events;
    if (!created) throw new Error('a bot was neither created nor refused');
    return { userId: created.data.userId, apiKey };
  }
}
