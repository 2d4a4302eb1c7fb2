import { IsOptional, IsString } from 'class-validator';
import { AreIds, JsonText } from '../../../platform/http/parameters/parameter-decorators.js';
import { ChannelOptionsParameters } from './channel-options.parameters.js';

export class CreateChannelParameters extends ChannelOptionsParameters {
  @IsString()
  readonly name!: string;

  @IsOptional()
  @IsString()
  readonly description: string = '';

  @JsonText()
  @AreIds()
  readonly subscribers!: readonly number[];
}
