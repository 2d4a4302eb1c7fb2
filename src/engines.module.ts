import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Config } from './config/config.js';
import { CONFIG } from './config/config.token.js';
import type { Engines } from './config/open-engines.js';
import { CONTENT_KEYS } from './content-keys/content-keys.js';
import { DOCUMENT_STORE } from './document-store/document-store.js';
import { EventCodec } from './event-codec/event-codec.js';
import { EVENT_STORE } from './event-store/event-store.js';
import { SITE } from './kernel/site.js';

/** The ports, opened already, and what the process was told. */
@Global()
@Module({})
// biome-ignore lint/complexity/noStaticOnlyClass: Nest knows modules by their class
export class EnginesModule {
  static for(config: Config, engines: Engines, site: () => string): DynamicModule {
    return {
      module: EnginesModule,
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: SITE, useValue: site },
        { provide: EVENT_STORE, useValue: engines.eventStore },
        { provide: DOCUMENT_STORE, useValue: engines.documentStore },
        { provide: CONTENT_KEYS, useValue: engines.contentKeys },
        { provide: EventCodec, useValue: new EventCodec(engines.contentKeys) },
      ],
      exports: [CONFIG, SITE, EVENT_STORE, DOCUMENT_STORE, CONTENT_KEYS, EventCodec],
    };
  }
}
