import { Logger, Module } from '@nestjs/common';
import { READ_MODELS, type ReadModels } from '../../projections/runner/read-models.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.token.js';
import { Directory } from '../directory/directory.js';
import { DirectoryFollower } from '../directory/directory-follower.js';
import { DOCUMENT_STORE, type DocumentStore } from '../document-store/document-store.js';
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
import { EphemeralTail } from './queries/ephemeral-tail.js';
import { EventJson } from './queries/event-json.js';
import { GetEventsHandler } from './queries/get-events.handler.js';
import { GetInitialStateHandler } from './queries/initial-state.handler.js';
import { LiveQueues } from './queries/live-queues.js';
import { MessageDocuments } from './queries/message-documents.js';
import { MovedMessagesLookUp } from './queries/moved-messages.js';
import { QueueActivity } from './queries/queue-activity.js';
import { QUEUE_SETTINGS, type QueueSettings } from './queries/queue-settings.js';
import { WaitingPolls } from './queries/waiting-polls.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

@Module({
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
      provide: QUEUE_SETTINGS,
      inject: [CONFIG],
      useFactory: ({ heartbeatSeconds, queueIdleDays }: Config): QueueSettings => ({
        heartbeatAfter: heartbeatSeconds * 1000,
        idleLimit: queueIdleDays * DAY_MS,
      }),
    },
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
      provide: EventJson,
      inject: [Directory],
      useFactory: (directory: Directory) => new EventJson(directory),
    },
    {
      provide: LiveQueues,
      inject: [READ_MODELS],
      useFactory: (readModels: ReadModels) => new LiveQueues(readModels),
    },
    {
      provide: MessageDocuments,
      inject: [READ_MODELS],
      useFactory: (readModels: ReadModels) => new MessageDocuments(readModels),
    },
    {
      provide: MovedMessagesLookUp,
      inject: [READ_MODELS, Directory],
      useFactory: (readModels: ReadModels, directory: Directory) => new MovedMessagesLookUp(readModels, directory),
    },
    {
      provide: ClientEventFeed,
      inject: [READ_MODELS, Directory, DirectoryFollower, WaitingPolls, MessageDocuments],
      useFactory: (
        readModels: ReadModels,
        directory: Directory,
        follower: DirectoryFollower,
        waiting: WaitingPolls,
        messageDocuments: MessageDocuments,
      ) => {
        const log = new Logger('EventQueues');
        const onFailure = (error: unknown): void => log.error(`the feed cannot be read: ${String(error)}`);
        const audience: FeedAudience = {
          get isEmpty() {
            return waiting.isEmpty;
          },
          onEvents(events) {
            messageDocuments.forget(events);
            waiting.onEvents(events);
          },
        };
        return new ClientEventFeed(readModels, directory, follower, onFailure, audience);
      },
    },
  ],
  exports: [EphemeralBus],
})
export class EventQueuesModule {}
