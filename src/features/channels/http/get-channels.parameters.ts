import { Sendable } from '../../../platform/http/parameters/parameter-decorators.js';
import { flag } from '../../../platform/kernel/value-type.js';
import type { GetChannels } from '../queries/get-channels.handler.js';

export class GetChannelsParameters {
  @Sendable(flag)
  readonly include_public: boolean = true;

  /** Adds nothing: no channel can be read without an account. */
  @Sendable(flag)
  readonly include_web_public: boolean = false;

  @Sendable(flag)
  readonly include_subscribed: boolean = true;

  @Sendable(flag)
  readonly exclude_archived: boolean = true;

  @Sendable(flag)
  readonly include_all: boolean = false;

  /** Older name of `include_all`, for administrators. */
  @Sendable(flag)
  readonly include_all_active: boolean = false;

  @Sendable(flag)
  readonly include_default: boolean = false;

  @Sendable(flag)
  readonly include_owner_subscribed: boolean = false;

  @Sendable(flag)
  readonly include_can_access_content: boolean = false;
}

export const requestedChannels = (parameters: GetChannelsParameters): GetChannels['include'] => ({
  public: parameters.include_public,
  subscribed: parameters.include_subscribed,
  readable: parameters.include_can_access_content,
  default: parameters.include_default,
  ownerSubscribed: parameters.include_owner_subscribed,
  all: parameters.include_all,
  allAsAdministrator: parameters.include_all_active,
  archived: !parameters.exclude_archived,
});
