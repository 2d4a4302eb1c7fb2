import type { GetChannels } from '../queries/get-channels.handler.js';
import { Flag } from './channel-parameter.decorators.js';

export class GetChannelsParameters {
  @Flag()
  readonly include_public: boolean = true;

  /** No channel can be read without an account: adds nothing. */
  @Flag()
  readonly include_web_public: boolean = false;

  @Flag()
  readonly include_subscribed: boolean = true;

  @Flag()
  readonly exclude_archived: boolean = true;

  @Flag()
  readonly include_all: boolean = false;

  /** Older name of `include_all`, for administrators. */
  @Flag()
  readonly include_all_active: boolean = false;

  @Flag()
  readonly include_default: boolean = false;

  @Flag()
  readonly include_owner_subscribed: boolean = false;

  @Flag()
  readonly include_can_access_content: boolean = false;
}

export const channelsAskedFor = (parameters: GetChannelsParameters): GetChannels['include'] => ({
  public: parameters.include_public,
  subscribed: parameters.include_subscribed,
  readable: parameters.include_can_access_content,
  default: parameters.include_default,
  ownerSubscribed: parameters.include_owner_subscribed,
  all: parameters.include_all,
  allAsAdministrator: parameters.include_all_active,
  archived: !parameters.exclude_archived,
});
