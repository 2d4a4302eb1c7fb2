import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Global, Module, type Provider, type Type } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { pages, refusals } from '../../../src/app/features.js';
import { Directory } from '../../../src/directory/directory.js';
import { AuthenticationGuard } from '../../../src/directory/http/authentication.guard.js';
import { ROLES } from '../../../src/events/shared/role.js';
import { USERS_STREAM, type UserEvent } from '../../../src/events/users/users.events.js';
import { DOCUMENT_STORE } from '../../../src/platform/documents/document-store.js';
import { SqliteDocumentStore } from '../../../src/platform/documents/sqlite/sqlite-document-store.js';
import { configureHttp } from '../../../src/platform/http/configure-http.js';
import { HttpModule } from '../../../src/platform/http/http.module.js';
import { createHttpAdapter } from '../../../src/platform/http/http-adapter.js';
import type { HttpOptions } from '../../../src/platform/http/http-options.js';
import { ReadableParametersGuard } from '../../../src/platform/http/readable-parameters.guard.js';
import { SITE } from '../../../src/platform/kernel/site.js';

/** The server's HTTP edge around controllers of a spec. */
export interface EdgeApp {
  readonly app: NestFastifyApplication;
  readonly directory: Directory;
  /** `http://127.0.0.1:…/api/v1` */
  readonly url: string;
  readonly port: number;
  /** Log lines so far, as JSON objects. */
  readonly log: () => Record<string, unknown>[];
}

export async function startEdge(
  controllers: Type[],
  options: Partial<HttpOptions> = {},
  provided: readonly Provider[] = [],
): Promise<EdgeApp> {
  const directory = new Directory();
  const lines: string[] = [];
  const settings = { pages, logDestination: { write: (line: string) => void lines.push(line) }, ...options };

  const folder = await mkdtemp(join(tmpdir(), 'annals-'));
  const store = await SqliteDocumentStore.open(folder);

  @Global()
  @Module({
    providers: [
      { provide: DOCUMENT_STORE, useValue: store },
      { provide: SITE, useValue: () => 'http://localhost' },
    ],
    exports: [DOCUMENT_STORE, SITE],
  })
  class StoreModule {
    async onApplicationShutdown(): Promise<void> {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    }
  }

  @Module({
    imports: [StoreModule, HttpModule.register(refusals, settings)],
    controllers,
    providers: [
      ...provided,
      { provide: Directory, useValue: directory },
      { provide: APP_GUARD, useClass: AuthenticationGuard },
      { provide: APP_GUARD, useClass: ReadableParametersGuard },
    ],
  })
  class EdgeModule {}

  const app = await NestFactory.create<NestFastifyApplication>(EdgeModule, createHttpAdapter(settings), {
    logger: false,
  });
  configureHttp(app);
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return {
    app,
    directory,
    url: `http://127.0.0.1:${port}/api/v1`,
    port,
    log: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

/** The number of connections that the server has at the moment. */
export const connectionsTo = ({ app }: EdgeApp): Promise<number> =>
  new Promise((resolve, reject) =>
    app
      .getHttpServer()
      .getConnections((error: Error | null, count: number) => (error ? reject(error) : resolve(count))),
  );

export interface Account {
  readonly userId: number;
  readonly email: string;
  readonly apiKey: string;
}

/** Adds a member with one API key to a directory, by events. */
export function addAccount(
  directory: Directory,
  email = `user${directory.allUsers().length + 1}@example.com`,
): Account {
  const userId = directory.allUsers().length + 1;
  const apiKey = sha256(`key ${userId}`).slice(0, 32);
  const fullName = `User ${userId}`;
  const role = ROLES.member;
  happen(directory, {
    type: 'UserCreated',
    data: { userId, email, fullName, role, passwordHash: null, channelIds: [] },
  });
  happen(directory, { type: 'ApiKeyIssued', data: { userId, keyHash: sha256(apiKey) } });
  return { userId, email, apiKey };
}

export function deactivate(directory: Directory, userId: number): void {
  happen(directory, { type: 'UserDeactivated', data: { userId, notice: null } });
}

function happen(directory: Directory, event: UserEvent): void {
  const revision = directory.position;
  directory.apply({
    ...event,
    id: `event ${revision}`,
    stream: USERS_STREAM,
    revision,
    position: revision + 1,
    metadata: { actorId: null, client: 'test', at: 0, correlationId: '', causationId: null },
  });
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export const basic = ({ email, apiKey }: Pick<Account, 'email' | 'apiKey'>): string =>
  `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`;
