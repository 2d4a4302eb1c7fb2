import 'reflect-metadata';
import { type INestApplicationContext, Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Directory } from '../directory/directory.js';
import { DirectoryFollower } from '../directory/directory-follower.js';
import { PendingDecisions } from '../directory/pending-decisions.js';
import { CommandRunner } from '../platform/commands/command-runner.js';
import type { Engines } from '../platform/engines/engines.js';
import { createHttpAdapter } from '../platform/http/http-adapter.js';
import { Closers } from '../platform/kernel/closers.js';
import { OutgoingRequests } from '../platform/outgoing/outgoing-requests.js';
import { ReachableAddresses } from '../platform/outgoing/reachable-addresses.js';
import { AppModule } from './app.module.js';
import { type Config, engineSettingsOf, isSiteSettled, siteUrl } from './config/config.js';
import { loadApis } from './features.js';
import { NoReadSide } from './roles/no-read-side.js';
import { openCodec } from './roles/skipped-events.js';
import { acceptedKeys } from './verify/accepted-keys.js';

/**
 * Works with the handlers of commands alone. Nothing listens, no documents are kept, and consequences are left to the
 * server that starts next, or to those that run on shared engines.
 */
export async function withHandlers<T>(
  config: Config,
  engines: Engines,
  work: (app: INestApplicationContext) => Promise<T>,
): Promise<T> {
  const closers = new Closers();
  Logger.overrideLogger(false);
  try {
    const app = await openHandlers(config, engines);
    closers.add(() => app.close());
    // `init` would start sweepers and schedules, too.
    app.get(CqrsModule).onApplicationBootstrap();
    const follower = app.get(DirectoryFollower);
    closers.own(follower);
    await follower.start();
    return await work(app);
  } finally {
    await closers.close();
  }
}

async function openHandlers(config: Config, engines: Engines): Promise<NestFastifyApplication> {
  const { eventStore, contentKeys } = engines;
  const codec = await openCodec({ eventStore, contentKeys });
  const directory = new Directory();
  const parts = {
    engines,
    codec,
    commandRunner: new CommandRunner(eventStore, contentKeys, codec, {
      keysSince: (await acceptedKeys(eventStore))?.id ?? null,
    }),
    directory,
    pendingDecisions: new PendingDecisions(directory),
    readSide: new NoReadSide(engineSettingsOf(config).distributed !== undefined),
    outgoing: new OutgoingRequests(new ReachableAddresses(config.outgoingPrivateNetworks)),
    pushSender: null,
  };
  const http = { rateLimit: 0, logLevel: 'silent' } as const;
  const site = (): string => {
    if (isSiteSettled(config)) return siteUrl(config, config.port);
    throw new Error('the port is taken when a server starts: name the public URL with --site');
  };
  const module = AppModule.for({ config, parts, apis: await loadApis(), http, site });
  return NestFactory.create<NestFastifyApplication>(module, createHttpAdapter(http), {
    logger: false,
    abortOnError: false,
  });
}
