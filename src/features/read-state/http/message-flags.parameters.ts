import { IsArray, IsBoolean, IsIn, IsInt, IsOptional, IsString, Min } from 'class-validator';
import { JsonText } from '../../../platform/http/parameters/parameter-decorators.js';

class FlagParameters {
  @IsIn(['add', 'remove'])
  readonly op!: 'add' | 'remove';

  @IsString()
  readonly flag!: string;
}

/** Parameters of `POST /messages/flags`. */
export class MessageFlagsParameters extends FlagParameters {
  @JsonText()
  @IsArray()
  @IsInt({ each: true })
  readonly messages!: readonly number[];
}

/** Parameters of `POST /messages/flags/narrow`. */
export class NarrowFlagsParameters extends FlagParameters {
  /** A message id, `newest`, `oldest` or `first_unread`. */
  @IsString()
  readonly anchor!: string;

  @JsonText()
  @IsOptional()
  @IsBoolean()
  readonly include_anchor: boolean = true;

  @JsonText()
  @IsInt()
  @Min(0)
  readonly num_before!: number;

  @JsonText()
  @IsInt()
  @Min(0)
  readonly num_after!: number;

  /** The terms are checked by `parseNarrow`. */
  @JsonText()
  @IsOptional()
  @IsArray()
  readonly narrow: readonly unknown[] = [];
}
