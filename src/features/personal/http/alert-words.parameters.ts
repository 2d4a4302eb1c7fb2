import { ArrayMaxSize, IsArray, IsString, MaxLength } from 'class-validator';
import { JsonText } from '../../../platform/http/parameters/parameter-decorators.js';

const LONGEST_WORD = 100;
const MOST_AT_ONCE = 1000;

export class AlertWordsParameters {
  @JsonText()
  @IsArray()
  @ArrayMaxSize(MOST_AT_ONCE)
  @IsString({ each: true })
  @MaxLength(LONGEST_WORD, { each: true })
  readonly alert_words!: readonly string[];
}
