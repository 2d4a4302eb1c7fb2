import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Directory } from '../directory/directory.js';
import { PendingDecisions } from '../directory/pending-decisions.js';
import { BUS } from '../platform/bus/bus.js';
import { CommandRunner } from '../platform/commands/command-runner.js';
import { CONTENT_KEYS } from '../platform/content-keys/content-keys.js';
import { DOCUMENT_STORE } from '../platform/documents/document-store.js';
import { FILE_STORE } from '../platform/file-store/file-store.js';
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
import type { Injected } from '../platform/settings/setting.js';
import { CONFIG, type Config } from './config/config.js';
import { injectedSettings } from './features.js';
import { AskedRebuilds } from './roles/asked-rebuilds.js';
import type { HandlerParts } from './roles/open-server-parts.js';
import { READ_SIDE } from './roles/read-side.js';

/** Provides the opened ports, the states that follow from them, and the settings of the process. */
@Global()
@Module({})
// biome-ignore lint/complexity/noStaticOnlyClass: Nest knows modules by their class
export class EnginesModule {
  static for(config: Config, parts: HandlerParts, site: () => string): DynamicModule {
    const { engines, codec, commandRunner, directory, pendingDecisions, readSide } = parts;
    const values = new Map<Injected[0], unknown>([
      [CONFIG, config],
      [SITE, site],
      ...injectedSettings(config),
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
