import { Directory } from '../../../directory/directory.js';
import { actorOf, may } from '../../../directory/permissions.js';
import { decidesOn, firstOf } from '../../../platform/commands/decides-on.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { botDomain } from '../../../platform/kernel/site.js';
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
  decideRegenerateApiKey,
  decideRegenerateBotApiKey,
  EndApiKey,
  EndLogin,
  EndOthersApiKey,
  EndUnusedApiKeys,
  IssueApiKey,
  IssueFirstApiKey,
  RegenerateApiKey,
  RegenerateBotApiKey,
} from '../domain/api-keys.js';
import {
  CreateBot,
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
import { newKeyWithHash, newWebhookSecrets } from './api-keys.handlers.js';
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
    answer: (events) => firstOf(events).data.userId,
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
  decidesOn(CreateBot, {
    stream: usersStream,
    decide: decideCreateBot,
    uses: NewAccountSources,
    facts: ({ by }, { directory, site }) => ({
      ownerId: keeperOf(by, directory).id ?? refuse('BOT_OWNER_UNKNOWN'),
      ...newKeyWithHash(),
      uniqueNames: uniqueNamesIn(directory),
      domain: botDomain(site()),
      secrets: newWebhookSecrets(),
      ...botCreationBy(by, directory),
    }),
    answer: (events, { apiKey }) => ({ userId: firstOf(events).data.userId, apiKey: apiKey() }),
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
  decidesOn(RegenerateApiKey, {
    stream: usersStream,
    decide: decideRegenerateApiKey,
    facts: newKeyWithHash,
    answer: (_events, { apiKey }) => apiKey(),
  }),
  decidesOn(RegenerateBotApiKey, {
    stream: usersStream,
    decide: decideRegenerateBotApiKey,
    uses: Directory,
    facts: ({ by }, directory) => ({ keeper: keeperOf(by, directory), ...newKeyWithHash() }),
    answer: (_events, { apiKey }) => apiKey(),
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
