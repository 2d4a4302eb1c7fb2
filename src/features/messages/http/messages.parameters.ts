import { IsIn, IsString } from 'class-validator';
import {
  Alias,
  JsonOrText,
  OptionalFlag,
  OptionalText,
} from '../../../platform/http/parameters/parameter-decorators.js';
import { IsAddressee } from './is-addressee.js';

/** Parameters of `POST /messages`. */
export class SendMessageParameters {
  @IsIn(['direct', 'channel', 'stream', 'private']) readonly type!: 'direct' | 'channel' | 'stream' | 'private';
  @JsonOrText() @IsAddressee() readonly to!: string | number | readonly string[] | readonly number[];
  @IsString() readonly content!: string;
  @Alias('subject') @OptionalText() readonly topic?: string;
  @OptionalText() readonly queue_id?: string;
  @OptionalText() readonly local_id?: string;
  @OptionalFlag() readonly read_by_sender?: boolean;
}

/** `POST /messages/render`. */
export class RenderMessageParameters {
  @IsString() readonly content!: string;
}
