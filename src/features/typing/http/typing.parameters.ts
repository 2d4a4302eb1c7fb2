import { IsIn, IsOptional, IsString } from 'class-validator';
import { IsId, JsonText, OptionalIds } from '../../../platform/http/parameters/parameter-decorators.js';
import type { TypingOperation } from '../domain/set-typing.js';

export class EditTypingParameters {
  @IsIn(['start', 'stop'])
  readonly op!: TypingOperation;
}

export class TypingParameters extends EditTypingParameters {
  @IsOptional()
  @IsIn(['direct', 'stream', 'channel'])
  readonly type: 'direct' | 'stream' | 'channel' = 'direct';

  /** Ids of users. */
  @OptionalIds()
  readonly to?: readonly number[];

  @JsonText()
  @IsOptional()
  @IsId()
  readonly stream_id?: number;

  @IsOptional()
  @IsString()
  readonly topic?: string;
}
