import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsOptional, IsString, Matches, ValidateNested } from 'class-validator';
import { COLOR } from '../../../events/channels/subscriptions.settings.js';
import { JsonText } from '../../../platform/http/parameters/parameter-decorators.js';
import { ChannelNames, MAX_CHANNELS } from './list.decorators.js';

class AddedChannel {
  @IsString()
  readonly name!: string;

  @IsOptional()
  @IsString()
  readonly description: string = '';

  @IsOptional()
  @Matches(COLOR, { message: '$property is not a valid hex color code' })
  readonly color?: string | null;
}

export class UpdateSubscriptionsParameters {
  @JsonText()
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_CHANNELS)
  @ValidateNested({ each: true })
  @Type(() => AddedChannel)
  readonly add: readonly AddedChannel[] = [];

  @IsOptional()
  @ChannelNames()
  readonly delete: readonly string[] = [];
}
