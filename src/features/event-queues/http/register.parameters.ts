import { ArrayMaxSize, IsArray, IsDefined, IsIn, IsOptional, IsString, MaxLength, ValidateBy } from 'class-validator';
import { IsCount, JsonText, OptionalFlag } from '../../../platform/http/parameters/parameter-decorators.js';

const MOST_TYPES = 500;
const LONGEST_TYPE = 100;
const MOST_CAPABILITIES = 100;

const IsCapabilities = (): PropertyDecorator =>
  ValidateBy({
    name: 'isCapabilities',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'object' &&
        value !== null &&
        !Array.isArray(value) &&
        Object.keys(value).length <= MOST_CAPABILITIES &&
        Object.entries(value).every(([name, is]) => name.length <= LONGEST_TYPE && typeof is === 'boolean'),
      defaultMessage: () => '$property is not a dictionary of booleans',
    },
  });

export class RegisterParameters {
  @OptionalFlag() readonly apply_markdown: boolean = false;
  @OptionalFlag() readonly client_gravatar: boolean = true;

  /** `partial` lets the server choose how many subscribers it sends: it sends all. */
  @IsOptional()
  @IsIn(['true', 'false', 'partial'])
  readonly include_subscribers: 'true' | 'false' | 'partial' = 'false';

  @OptionalFlag() readonly slim_presence: boolean = false;
  @JsonText() @IsOptional() @IsCount() readonly presence_history_limit_days?: number;

  /** Types of events that the queue delivers; absent: all. Unknown names are ignored. */
  @JsonText()
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MOST_TYPES)
  @IsString({ each: true })
  @MaxLength(LONGEST_TYPE, { each: true })
  readonly event_types?: readonly string[];

  /** Parts of the state in the response; absent: the same as `event_types`. */
  @JsonText()
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MOST_TYPES)
  @IsString({ each: true })
  @MaxLength(LONGEST_TYPE, { each: true })
  readonly fetch_event_types?: readonly string[];

  @OptionalFlag() readonly all_public_streams: boolean = false;
  @JsonText() @IsOptional() @IsCapabilities() readonly client_capabilities: Readonly<Record<string, boolean>> = {};
  @JsonText() @IsOptional() @IsDefined() readonly narrow?: unknown;
}
