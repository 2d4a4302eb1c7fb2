import { ArrayMaxSize, IsArray, IsInt, IsOptional, IsString } from 'class-validator';
import { JsonText } from '../../../platform/http/parameters/parameter-decorators.js';
import { ChannelOptionsParameters } from './channel-options.parameters.js';

/** The same as in a request to subscribe. */
const MAX_SUBSCRIBERS = 20_000;

export class CreateChannelParameters extends ChannelOptionsParameters {
  @IsString()
  readonly name!: string;

  @IsOptional()
  @IsString()
  readonly description: string = '';

  @JsonText()
  @IsArray()
  @ArrayMaxSize(MAX_SUBSCRIBERS)
  @IsInt({ each: true })
  readonly subscribers!: readonly number[];
}
