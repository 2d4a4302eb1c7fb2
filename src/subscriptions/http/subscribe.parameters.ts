import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsBoolean, IsOptional, IsString, ValidateNested } from 'class-validator';
import { ChannelOptionsParameters } from '../../channels/http/channel-options.parameters.js';
import { JsonText } from '../../http/parameters/parameter-decorators.js';
import { MAX_CHANNELS, Principals } from './list.decorators.js';

class RequestedChannel {
  @IsString()
  readonly name!: string;

  @IsOptional()
  @IsString()
  readonly description: string = '';
}

export class SubscribeParameters extends ChannelOptionsParameters {
  @JsonText()
  @IsArray()
  @ArrayMaxSize(MAX_CHANNELS)
  @ValidateNested({ each: true })
  @Type(() => RequestedChannel)
  readonly subscriptions!: readonly RequestedChannel[];

  @Principals()
  readonly principals?: readonly number[] | readonly string[];

  @JsonText()
  @IsOptional()
  @IsBoolean()
  readonly authorization_errors_fatal: boolean = true;
}
