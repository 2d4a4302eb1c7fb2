import type { Provider, Type } from '@nestjs/common';
import type { Follower } from '../platform/consumers/follower.js';
import type { ProcessManager } from '../platform/consumers/process-manager.js';
import type { Reactor } from '../platform/consumers/reactor.js';
import type { Refusals } from '../platform/http/refusal.js';
import type { RefusedMails } from '../platform/mail/refused-mails.js';
import type { ClientEventWriter } from './event-queues/client-event-writer.js';
import type { StateReader } from './event-queues/state-reader.js';

/** Declares a feature. `app/features.ts` lists the declarations; the server, the worker and the tests are built from it. */
export interface Feature {
  /** The name of its folder. */
  readonly name: string;
  /** Refusals of its commands and queries, by code. */
  readonly refusals?: Refusals;
  /** Process managers that append to the feature's streams (D17), in their order. */
  readonly consequences?: readonly ProcessManager[];
  /** Reactors to events, with effects outside of the server (D16). */
  readonly reactors?: readonly Reactor[];
  /** Followers of the log with effects outside of the server, which need more than a reactor has. */
  readonly followers?: readonly Follower[];
  /** Records of its mails that will never arrive. */
  readonly refusedMails?: readonly RefusedMails[];
  /** The first parts of the paths of its pages, such as `/join`. Every answer at them and below is a page, errors too. */
  readonly pages?: readonly string[];
  /** Loads the part that answers clients. Workers, and commands that read the log, do not load it. */
  readonly api?: () => Promise<{ readonly api: FeatureApi }>;
}

/** The part of a feature that answers clients. */
export interface FeatureApi {
  readonly controllers: readonly Type[];
  /** Nest providers: handlers of commands and queries, and their dependencies. */
  readonly providers: readonly Provider[];
  /** Writers of the client events whose bodies differ by reader. */
  readonly clientEvents?: readonly Type<ClientEventWriter>[];
  /** Readers of the feature's parts of the register response. */
  readonly register?: readonly Type<StateReader>[];
}
