import { IsBoolean, IsOptional } from 'class-validator';
import { JsonText } from '../../http/parameters/parameter-decorators.js';

const Flag = (): PropertyDecorator => (prototype, property) => {
  for (const decorate of [JsonText(), IsOptional(), IsBoolean()]) decorate(prototype, property);
};

export class GetChannelsParameters {
  @Flag()
  readonly include_public: boolean = true;

  @Flag()
  readonly include_subscribed: boolean = true;

  @Flag()
  readonly exclude_archived: boolean = true;

  @Flag()
  readonly include_all: boolean = false;

  /** Older name of `include_all`. */
  @Flag()
  readonly include_all_active: boolean = false;
}
