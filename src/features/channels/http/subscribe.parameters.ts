import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsBoolean, IsOptional, IsString, ValidateNested } from 'class-validator';
import { JsonText } from '../../../platform/http/parameters/parameter-decorators.js';
import { ChannelOptionsParameters } from './channel-options.parameters.js';
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
