import { ArrayMaxSize, IsArray, IsInt, IsOptional, IsString } from 'class-validator';
import { JsonText } from '../../http/parameters/parameter-decorators.js';
import { ChannelOptionsParameters } from './channel-options.parameters.js';

/** As many as a request to subscribe may name. */
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
