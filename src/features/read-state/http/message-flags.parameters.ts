import { IsArray, IsIn, IsOptional, IsString } from 'class-validator';
import { AreIds, IsCount, JsonText, OptionalFlag } from '../../../platform/http/parameters/parameter-decorators.js';

class FlagParameters {
  @IsIn(['add', 'remove']) readonly op!: 'add' | 'remove';
  @IsString() readonly flag!: string;
}

/** Parameters of `POST /messages/flags`. */
export class MessageFlagsParameters extends FlagParameters {
  @JsonText() @AreIds() readonly messages!: readonly number[];
}

/** Parameters of `POST /messages/flags/narrow`. */
export class NarrowFlagsParameters extends FlagParameters {
  /** A message id, `newest`, `oldest` or `first_unread`. */
  @IsString() readonly anchor!: string;

  @OptionalFlag() readonly include_anchor: boolean = true;
  @JsonText() @IsCount() readonly num_before!: number;
  @JsonText() @IsCount() readonly num_after!: number;

  /** The terms are checked by `parseNarrow`. */
  @JsonText() @IsOptional() @IsArray() readonly narrow: readonly unknown[] = [];
}
