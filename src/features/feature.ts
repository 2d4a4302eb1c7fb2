import type { DirectoryParts } from '../directory/followed-directory.js';
import type { Follower, FollowerParts } from '../platform/consumers/follower.js';
import type { ProcessManager } from '../platform/consumers/process-manager.js';
import type { Reactor } from '../platform/consumers/reactor.js';
import type { Descriptions } from '../platform/http/openapi/described-api.js';
import type { Refusals } from '../platform/http/refusal.js';
import type { RefusedMails } from '../platform/mail/mailer.js';
import type { FeatureSettings } from '../platform/settings/setting.js';

/** Services that the app opens for followers of one feature, which adds them to this interface beside its declaration. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface FollowerServices {}

/** Services for a follower of a feature, which may read this process's directory. */
export type FeatureFollowerParts = FollowerParts & DirectoryParts & FollowerServices;

export type FeatureFollower = Follower<FeatureFollowerParts>;

/** Declares a feature. `app/features.ts` lists the declarations; the server, the worker and the tests are built from it. */
export interface Feature {
  /** The name of its folder. */
  readonly name: string;
  /** Refusals of its commands and queries, by code. */
  readonly refusals?: Refusals;
  /** Settings of the process that are the feature's. */
  readonly settings?: FeatureSettings;
  /** Process managers that append to the feature's streams (D17), in their order. */
  readonly consequences?: readonly ProcessManager[];
  /** Reactors to events, with effects outside of the server (D16). */
  readonly reactors?: readonly Reactor[];
  /** Followers of the log with effects outside of the server, which need more than a reactor has. */
  readonly followers?: readonly FeatureFollower[];
  /** Records of its mails that will never arrive. */
  readonly refusedMails?: readonly RefusedMails[];
  /** The first parts of the paths of its pages, such as `/join`. Every answer at them and below is a page, errors too. */
  readonly pages?: readonly string[];
  /** Routes that do not get the API's prefix. */
  readonly outside?: readonly string[];
  /** The first parts of paths outside the API that pages of other origins may ask, such as `/user_uploads`. */
  readonly crossOrigin?: readonly string[];
  /**
   * Loads the files of the part that answers clients. Each exports controllers, handlers or other providers. Workers, and
   * commands that read the log, do not load them.
   */
  readonly api?: readonly (() => Promise<object>)[];
  /** Loads what the OpenAPI document says of its operations, when somebody first asks for it. */
  readonly describes?: () => Promise<{ readonly descriptions: Descriptions }>;
}
