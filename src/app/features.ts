import { accessRefusals } from '../directory/http/access.refusals.js';
import { accessesFeature } from '../features/accesses/accesses.feature.js';
import { apiReferenceFeature } from '../features/api-reference/api-reference.feature.js';
import { auditFeature } from '../features/audit/audit.feature.js';
import { avatarsFeature } from '../features/avatars/avatars.feature.js';
import { botStorageFeature } from '../features/bot-storage/bot-storage.feature.js';
import { channelFoldersFeature } from '../features/channel-folders/channel-folders.feature.js';
import { channelsFeature } from '../features/channels/channels.feature.js';
import { codeColoursFeature } from '../features/code-colours/code-colours.feature.js';
import { customEmojiFeature } from '../features/custom-emoji/custom-emoji.feature.js';
import { draftsFeature } from '../features/drafts/drafts.feature.js';
import { eventQueuesFeature } from '../features/event-queues/event-queues.feature.js';
import type { Feature, FeatureFollower } from '../features/feature.js';
import { healthFeature } from '../features/health/health.feature.js';
import { incomingWebhooksFeature } from '../features/incoming-webhooks/incoming-webhooks.feature.js';
import { invitationsFeature } from '../features/invitations/invitations.feature.js';
import { messageFlagsFeature } from '../features/message-flags/message-flags.feature.js';
import { messageReportsFeature } from '../features/message-reports/message-reports.feature.js';
import { messagesFeature } from '../features/messages/messages.feature.js';
import { narrowFeature } from '../features/narrow/narrow.feature.js';
import { navigationViewsFeature } from '../features/navigation-views/navigation-views.feature.js';
import { organizationFeature } from '../features/organization/organization.feature.js';
import { organizationPicturesFeature } from '../features/organization-pictures/organization-pictures.feature.js';
import { outgoingWebhooksFeature } from '../features/outgoing-webhooks/outgoing-webhooks.feature.js';
import { pageFeature } from '../features/page/page.feature.js';
import { permissionsFeature } from '../features/permissions/permissions.feature.js';
import { personalFeature } from '../features/personal/personal.feature.js';
import { presenceFeature } from '../features/presence/presence.feature.js';
import { pushFeature } from '../features/push/push.feature.js';
import { readStateFeature } from '../features/read-state/read-state.feature.js';
import { rebuildsFeature } from '../features/rebuilds/rebuilds.feature.js';
import { remindersFeature } from '../features/reminders/reminders.feature.js';
import { remotePicturesFeature } from '../features/remote-pictures/remote-pictures.feature.js';
import { savedSnippetsFeature } from '../features/saved-snippets/saved-snippets.feature.js';
import { scheduledMessagesFeature } from '../features/scheduled-messages/scheduled-messages.feature.js';
import { transparencyFeature } from '../features/transparency/transparency.feature.js';
import { typingFeature } from '../features/typing/typing.feature.js';
import { uploadsFeature } from '../features/uploads/uploads.feature.js';
import { userGroupsFeature } from '../features/user-groups/user-groups.feature.js';
import { userStatusFeature } from '../features/user-status/user-status.feature.js';
import { usersFeature } from '../features/users/users.feature.js';
import type { ProcessManager } from '../platform/consumers/process-manager.js';
import type { Reactor } from '../platform/consumers/reactor.js';
import { CrossOriginPaths } from '../platform/http/cross-origin/cross-origin-paths.js';
import { edgeRefusals } from '../platform/http/edge.refusals.js';
import type { Description, Descriptions } from '../platform/http/openapi/described-api.js';
import type { Refusals } from '../platform/http/refusal.js';
import type { RefusedMails } from '../platform/mail/mailer.js';
import { PagePaths } from '../platform/pages/page-paths.js';
import type { Projection } from '../platform/read-models/projection.js';
import type { Injected } from '../platform/settings/setting.js';
import type { Config } from './config/config.js';
import { type FeatureApi, servedParts } from './served-parts.js';

/** THE list of features. Consequences of one event happen in this order. */
export const features = [
  usersFeature,
  userGroupsFeature,
  channelsFeature,
  channelFoldersFeature,
  organizationFeature,
  organizationPicturesFeature,
  customEmojiFeature,
  avatarsFeature,
  messageFlagsFeature,
  messagesFeature,
  messageReportsFeature,
  narrowFeature,
  presenceFeature,
  outgoingWebhooksFeature,
  incomingWebhooksFeature,
  personalFeature,
  readStateFeature,
  codeColoursFeature,
  draftsFeature,
  savedSnippetsFeature,
  scheduledMessagesFeature,
  remindersFeature,
  navigationViewsFeature,
  botStorageFeature,
  userStatusFeature,
  pushFeature,
  uploadsFeature,
  remotePicturesFeature,
  invitationsFeature,
  eventQueuesFeature,
  typingFeature,
  transparencyFeature,
  accessesFeature,
  auditFeature,
  permissionsFeature,
  healthFeature,
  rebuildsFeature,
  apiReferenceFeature,
  pageFeature,
] as const satisfies readonly Feature[];

const all: readonly Feature[] = features;

/** Makes the values that the features' parts are given. */
export const injectedSettings = (config: Config): readonly Injected[] =>
  features.flatMap((feature) => ('settings' in feature ? feature.settings.injected(config) : []));

/** The process managers. Managers of one event react in this order. */
export const consequences: readonly ProcessManager[] = all.flatMap((feature) => feature.consequences ?? []);

/** The reactors. */
export const reactors: readonly Reactor[] = all.flatMap((feature) => feature.reactors ?? []);

/** The followers of the log that are no reactors. */
export const followers: readonly FeatureFollower[] = all.flatMap((feature) => feature.followers ?? []);

/** The projections whose documents process managers and followers read. */
export const readByConsumers: readonly Projection[] = [
  ...new Set([...consequences, ...followers].flatMap(({ reads = [] }) => reads)),
];

/** The records of mails that will never arrive. */
export const refusedMails: readonly RefusedMails[] = all.flatMap((feature) => feature.refusedMails ?? []);

/** The refusals that clients can meet, by code. @throws Error if two features refuse with the same code */
export const refusals: Refusals = merged([edgeRefusals, accessRefusals, ...all.map((one) => one.refusals ?? {})]);

/** The routes without the API's prefix that are no pages. */
export const outside: readonly string[] = all.flatMap((feature) => feature.outside ?? []);

/** The paths of the pages. */
export const pages = new PagePaths(all.flatMap((feature) => feature.pages ?? []));

/** The paths that pages of other origins may ask. */
export const crossOrigin = new CrossOriginPaths(all.flatMap((feature) => feature.crossOrigin ?? []));

/** Loads the parts of all features that answer clients, when they are needed. @throws Error if a file serves nothing */
export async function loadApis(): Promise<readonly FeatureApi[]> {
  const apis: FeatureApi[] = [];
  for (const { name, api = [] } of all) {
    // One after the other: Jest cannot link modules that several imports load at once.
    const files: object[] = [];
    for (const load of api) files.push(await load());
    apis.push(servedParts(name, files));
  }
  return apis;
}

/** Loads what the features say of their operations. @throws Error if two describe the same one */
export async function describedByFeatures(edge: Descriptions): Promise<readonly (readonly [string, Description])[]> {
  const own: [string, Description][] = Object.entries(edge);
  // One after the other, as above.
  for (const { describes } of all) if (describes) own.push(...Object.entries((await describes()).descriptions));
  const names = own.map(([name]) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new Error(`two features describe ${twice}`);
  return own;
}

function merged(tables: readonly Refusals[]): Refusals {
  const rows: Record<string, Refusals[string]> = {};
  for (const [code, refusal] of tables.flatMap((table) => Object.entries(table))) {
    if (Object.hasOwn(rows, code)) throw new Error(`two features refuse with ${code}`);
    rows[code] = refusal;
  }
  return rows;
}

/** For the end of a process, which may come when no process keeps the tree. */
export type { FeatureFollowerParts, FollowerServices } from '../features/feature.js';
export { openTreeKeeper } from '../features/transparency/reactors/open-tree-keeper.js';
