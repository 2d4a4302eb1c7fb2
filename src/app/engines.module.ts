import { join } from 'node:path';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Directory } from '../directory/directory.js';
import { PendingDecisions } from '../directory/pending-decisions.js';
import { ACCESS_SETTINGS, type AccessSettings } from '../features/accesses/commands/access-settings.js';
import { QUEUE_SETTINGS, type QueueSettings } from '../features/event-queues/queries/queue-settings.js';
import { MAIL_LIMITS } from '../features/invitations/commands/invitation-facts.js';
import type { MailLimits } from '../features/invitations/domain/mail-limits.js';
import { PAGE_INDEX, PAGE_SETTINGS, type PageSettings } from '../features/page/queries/page-settings.js';
import {
  REMOTE_PICTURE_SETTINGS,
  type RemotePictureSettings,
} from '../features/remote-pictures/queries/remote-picture-settings.js';
import {
  TRANSPARENCY_SETTINGS,
  type TransparencySettings,
} from '../features/transparency/queries/transparency-settings.js';
import { UPLOAD_SETTINGS, type UploadSettings } from '../features/uploads/domain/upload-settings.js';
import { API_KEY_SETTINGS, type ApiKeySettings } from '../features/users/commands/api-key-sweeper.js';
import { PasswordRule } from '../features/users/domain/password.js';
import { BUS } from '../platform/bus/bus.js';
import { CommandRunner } from '../platform/commands/command-runner.js';
import { CONTENT_KEYS } from '../platform/content-keys/content-keys.js';
import { DOCUMENT_STORE } from '../platform/documents/document-store.js';
import { FILE_STORE } from '../platform/file-store/file-store.js';
import { foundInPackage } from '../platform/files/file-of-package.js';
import { ANSWER_WAIT } from '../platform/kernel/answer-wait.js';
import { ANSWER_BYTES } from '../platform/kernel/byte-budget.js';
import { SITE } from '../platform/kernel/site.js';
import { Links } from '../platform/links/links.js';
import { EventCodec } from '../platform/log/event-codec.js';
import { EVENT_STORE } from '../platform/log/event-store.js';
import { OutgoingRequests } from '../platform/outgoing/outgoing-requests.js';
import { PUSH_SENDER } from '../platform/push/push-sender.js';
import { AHEAD_OF_DOCUMENTS } from '../platform/read-models/ahead-of-documents.js';
import { READ_MODELS } from '../platform/read-models/read-models.js';
import { REBUILDS } from '../platform/read-models/rebuilds.js';
import type { Config } from './config/config.js';
import { CONFIG } from './config/config.token.js';
import { AskedRebuilds } from './roles/asked-rebuilds.js';
import type { HandlerParts } from './roles/open-server-parts.js';
import { READ_SIDE } from './roles/read-side.js';

const DAY_MS = 86_400_000;

/** Provides the opened ports, the states that follow from them, and the settings of the process. */
@Global()
@Module({})
// biome-ignore lint/complexity/noStaticOnlyClass: Nest knows modules by their class
export class EnginesModule {
  static for(config: Config, parts: HandlerParts, site: () => string): DynamicModule {
    const { engines, codec, commandRunner, directory, pendingDecisions, readSide } = parts;
    const values = new Map<symbol | (new (...parts: never[]) => object), unknown>([
      [CONFIG, config],
      [SITE, site],
      [
        QUEUE_SETTINGS,
        {
          heartbeatAfter: config.heartbeatSeconds * 1000,
          idleLimit: config.queueIdleDays * DAY_MS,
        } satisfies QueueSettings,
      ],
      [
        ACCESS_SETTINGS,
        {
          areRecorded: config.accessDays > 0,
          addressesKeptFor: config.addressDays * DAY_MS,
        } satisfies AccessSettings,
      ],
      [PasswordRule, new PasswordRule(config.passwordMinLength)],
      [API_KEY_SETTINGS, { idleLimit: config.apiKeyIdleDays * DAY_MS } satisfies ApiKeySettings],
      [
        MAIL_LIMITS,
        {
          member: config.invitationsPerMember,
          administrator: config.invitationsPerAdministrator,
          organization: config.invitationsPerOrganization,
          link: config.joinsPerLink,
          pause: config.invitationPauseSeconds * 1000,
        } satisfies MailLimits,
      ],
      [UPLOAD_SETTINGS, { maxFileMib: config.maxFileUploadMib } satisfies UploadSettings],
      [
        REMOTE_PICTURE_SETTINGS,
        {
          areFetched: config.remotePictures,
          folder: join(config.dataDirectory, 'remote-pictures'),
          maxCacheBytes: config.remotePicturesCacheMib * 1024 * 1024,
        } satisfies RemotePictureSettings,
      ],
      [TRANSPARENCY_SETTINGS, { isPublished: config.transparency } satisfies TransparencySettings],
      [PAGE_SETTINGS, { isServed: config.page, index: foundInPackage(PAGE_INDEX) } satisfies PageSettings],
      [ANSWER_BYTES, config.answerKib * 1024],
      [ANSWER_WAIT, config.answerWaitMs],
      [EVENT_STORE, engines.eventStore],
      [DOCUMENT_STORE, engines.documentStore],
      [CONTENT_KEYS, engines.contentKeys],
      [FILE_STORE, engines.fileStore],
      [Links, new Links(engines.contentKeys)],
      [BUS, engines.bus],
      [OutgoingRequests, parts.outgoing],
      [PUSH_SENDER, parts.pushSender],
      [EventCodec, codec],
      [CommandRunner, commandRunner],
      [Directory, directory],
      [PendingDecisions, pendingDecisions],
      [READ_SIDE, readSide],
      [REBUILDS, new AskedRebuilds(readSide)],
      [READ_MODELS, readSide.readModels],
      [AHEAD_OF_DOCUMENTS, readSide.ahead],
    ]);
    return {
      module: EnginesModule,
      providers: [...values].map(([provide, useValue]) => ({ provide, useValue })),
      exports: [...values.keys()],
    };
  }
}
