import { Logger } from '@nestjs/common';
import { Directory } from '../../directory/directory.js';
import { DirectoryFollower } from '../../directory/directory-follower.js';
import { DOCUMENT_STORE, type DocumentStore } from '../../platform/documents/document-store.js';
import { READ_MODELS, type ReadModels } from '../../platform/read-models/read-models.js';
import type { FeatureApi } from '../feature.js';
import { CLIENT_EVENT_WRITERS, type ClientEventWriter } from './client-event-writer.js';
import { DeleteQueueHandler } from './commands/delete-queue.handler.js';
import { EndedQueues } from './commands/ended-queues.js';
import { EphemeralBus } from './commands/ephemeral-bus.js';
import { ExpireQueueHandler } from './commands/expire-queue.handler.js';
import { QueueSweeper } from './commands/queue-sweeper.js';
import { RegisterQueueHandler } from './commands/register-queue.handler.js';
import { EventsController } from './http/events.controller.js';
import { RegisterController } from './http/register.controller.js';
import { ReleasePolls } from './http/release-polls.js';
import { ClientEventFeed, type FeedAudience } from './queries/client-event-feed.js';
import { ClientEventTexts } from './queries/client-event-texts.js';
import { EphemeralTail } from './queries/ephemeral-tail.js';
import { GetEventsHandler } from './queries/get-events.handler.js';
import { GetInitialStateHandler } from './queries/initial-state.handler.js';
import { LiveQueues } from './queries/live-queues.js';
import { QueueActivity } from './queries/queue-activity.js';
import { WaitingPolls } from './queries/waiting-polls.js';

const HOUR_MS = 3_600_000;

import { EventQueueStateReader } from './event-queues.register.js';

export const api: FeatureApi = {
  controllers: [RegisterController, EventsController],
  providers: [
    RegisterQueueHandler,
    EndedQueues,
    EphemeralBus,
    DeleteQueueHandler,
    ExpireQueueHandler,
    GetEventsHandler,
    GetInitialStateHandler,
    QueueSweeper,
    ReleasePolls,
    {
      provide: QueueActivity,
      inject: [DOCUMENT_STORE],
      useFactory: (store: DocumentStore) => {
        const log = new Logger('EventQueues');
        return QueueActivity.open(store, HOUR_MS, (error) => log.error(`activity is not stored: ${String(error)}`));
      },
    },
    {
      provide: WaitingPolls,
      inject: [Directory],
      useFactory: (directory: Directory) => new WaitingPolls(directory),
    },
    {
      provide: EphemeralTail,
      inject: [Directory, WaitingPolls],
      useFactory: (directory: Directory, waiting: WaitingPolls) => new EphemeralTail(directory, waiting),
    },
    {
      provide: ClientEventTexts,
      inject: [CLIENT_EVENT_WRITERS, Directory],
      useFactory: (writers: readonly ClientEventWriter[], directory: Directory) =>
        new ClientEventTexts(writers, directory),
    },
    {
      provide: LiveQueues,
      inject: [READ_MODELS, ClientEventTexts],
      useFactory: (readModels: ReadModels, texts: ClientEventTexts) => new LiveQueues(readModels, texts),
    },
    {
      provide: ClientEventFeed,
      inject: [READ_MODELS, Directory, DirectoryFollower, WaitingPolls, ClientEventTexts],
      useFactory: (
        readModels: ReadModels,
        directory: Directory,
        follower: DirectoryFollower,
        waiting: WaitingPolls,
        texts: ClientEventTexts,
      ) => {
        const log = new Logger('EventQueues');
        const onFailure = (error: unknown): void => log.error(`the feed cannot be read: ${String(error)}`);
        const audience: FeedAudience = {
          get isEmpty() {
            return waiting.isEmpty;
          },
          onEvents(events) {
            texts.forget(events);
            waiting.onEvents(events);
          },
        };
        return new ClientEventFeed(readModels, directory, follower, onFailure, audience);
      },
    },
  ],
  register: [EventQueueStateReader],
};
