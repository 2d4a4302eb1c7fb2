import { type DynamicModule, Global, Module } from '@nestjs/common';
import { READ_MODELS } from '../projections/runner/read-models.js';
import { BUS } from './bus/bus.js';
import { CommandRunner } from './command-runner/command-runner.js';
import type { Config } from './config/config.js';
import { CONFIG } from './config/config.token.js';
import { CONTENT_KEYS } from './content-keys/content-keys.js';
import { Directory } from './directory/directory.js';
import { DOCUMENT_STORE } from './document-store/document-store.js';
import { EventCodec } from './event-codec/event-codec.js';
import { EVENT_STORE } from './event-store/event-store.js';
import { FILE_STORE } from './file-store/file-store.js';
import { SITE } from './kernel/site.js';
import type { ServerParts } from './roles/open-server-parts.js';
import { READ_SIDE } from './roles/read-side.js';
import { UPLOAD_SETTINGS, type UploadSettings } from './uploads/domain/upload-settings.js';

/** The ports, opened already, what follows from them, and what the process was told. */
@Global()
@Module({})
// biome-ignore lint/complexity/noStaticOnlyClass: Nest knows modules by their class
export class EnginesModule {
  static for(config: Config, parts: ServerParts, site: () => string): DynamicModule {
    const { engines, codec, commandRunner, directory, readSide } = parts;
    const values = new Map<symbol | (new (...parts: never[]) => object), unknown>([
      [CONFIG, config],
      [SITE, site],
      [UPLOAD_SETTINGS, { maxFileMib: config.maxFileUploadMib } satisfies UploadSettings],
      [EVENT_STORE, engines.eventStore],
      [DOCUMENT_STORE, engines.documentStore],
      [CONTENT_KEYS, engines.contentKeys],
      [FILE_STORE, engines.fileStore],
      [BUS, engines.bus],
      [EventCodec, codec],
      [CommandRunner, commandRunner],
      [Directory, directory],
      [READ_SIDE, readSide],
      [READ_MODELS, readSide.readModels],
    ]);
    return {
      module: EnginesModule,
      providers: [...values].map(([provide, useValue]) => ({ provide, useValue })),
      exports: [...values.keys()],
    };
  }
}
