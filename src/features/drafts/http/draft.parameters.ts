import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsEmpty,
  IsIn,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { AreIds, JsonText } from '../../../platform/http/parameters/parameter-decorators.js';
import type { WrittenDraft } from '../domain/written-draft.js';

const MOST_AT_ONCE = 100;
const MOST_ADDRESSEES = 1000;
/** The last second of the year 9999. */
const LATEST = 253_402_300_799;

const TYPES = { '': 'unaddressed', stream: 'channel', private: 'direct' } as const;

class DraftParameters {
  @IsEmpty({ message: 'A draft is given its id by the server' })
  readonly id?: undefined;

  @IsIn(Object.keys(TYPES))
  readonly type!: keyof typeof TYPES;

  @AreIds({ most: MOST_ADDRESSEES })
  readonly to!: readonly number[];

  @IsString()
  readonly topic!: string;

  @IsString()
  readonly content!: string;

  @IsOptional()
  @IsNumber()
  @Min(-LATEST)
  @Max(LATEST)
  readonly timestamp?: number | null;
}

/** `POST /drafts` */
export class CreateDraftsParameters {
  @JsonText()
  @IsArray()
  @ArrayMaxSize(MOST_AT_ONCE)
  @ValidateNested({ each: true })
  @Type(() => DraftParameters)
  readonly drafts!: readonly DraftParameters[];
}

/** `PATCH /drafts/{draft_id}` */
export class EditDraftParameters {
  @JsonText()
  @IsObject()
  @ValidateNested()
  @Type(() => DraftParameters)
  readonly draft!: DraftParameters;
}

export const writtenDraft = ({ type, to, topic, content, timestamp }: DraftParameters): WrittenDraft => ({
  type: TYPES[type],
  to,
  topic,
  content,
  timestamp: timestamp ?? null,
});
