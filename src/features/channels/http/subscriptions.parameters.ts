import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsOptional,
  IsString,
  Matches,
  ValidateBy,
  ValidateNested,
  type ValidationArguments,
} from 'class-validator';
import {
  COLOR,
  SUBSCRIPTION_SETTINGS,
  type SubscriptionSetting,
  type SubscriptionSettingRow,
} from '../../../events/channels/subscriptions.settings.js';
import { namesOf, type OlderFlag } from '../../../events/shared/settings.js';
import { IsId, JsonText, OptionalFlag, OptionalText } from '../../../platform/http/parameters/parameter-decorators.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { flag, passesChecks, type ValueType } from '../../../platform/kernel/value-type.js';
import type { SettingChange } from '../domain/change-subscription-settings.js';
import { ChannelOptionsParameters } from './channel-options.parameters.js';
import { ChannelNames, MAX_CHANNELS, Principals } from './list.decorators.js';

class RequestedChannel {
  @IsString() readonly name!: string;
  @OptionalText() readonly description: string = '';
}

export class SubscribeParameters extends ChannelOptionsParameters {
  @JsonText()
  @IsArray()
  @ArrayMaxSize(MAX_CHANNELS)
  @ValidateNested({ each: true })
  @Type(() => RequestedChannel)
  readonly subscriptions!: readonly RequestedChannel[];

  @Principals() readonly principals?: readonly number[] | readonly string[];
  @OptionalFlag() readonly authorization_errors_fatal: boolean = true;
}

export class UnsubscribeParameters {
  @ChannelNames() readonly subscriptions!: readonly string[];
  @Principals() readonly principals?: readonly number[] | readonly string[];
}

export class GetSubscriptionsParameters {
  /** `partial` may leave subscribers out; this server always has them all. */
  @IsOptional()
  @IsIn(['true', 'false', 'partial'])
  readonly include_subscribers: 'true' | 'false' | 'partial' = 'false';
}

class AddedChannel {
  @IsString() readonly name!: string;
  @OptionalText() readonly description: string = '';
  @IsOptional() @Matches(COLOR, { message: '$property is not a valid hex color code' }) readonly color?: string | null;
}

export class UpdateSubscriptionsParameters {
  @JsonText()
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_CHANNELS)
  @ValidateNested({ each: true })
  @Type(() => AddedChannel)
  readonly add: readonly AddedChannel[] = [];

  @IsOptional() @ChannelNames() readonly delete: readonly string[] = [];
}

const MAX_CHANGES = 10_000;

interface Property {
  readonly setting: SubscriptionSetting;
  readonly type: ValueType<unknown>;
  /** Set if the property is the flag by which older clients know the setting. */
  readonly older?: OlderFlag;
}

/** The settings by name, some by an older name, too. */
const PROPERTIES: ReadonlyMap<unknown, Property> = new Map(
  namesOf(SUBSCRIPTION_SETTINGS).flatMap((setting) => {
    const { type, older }: SubscriptionSettingRow = SUBSCRIPTION_SETTINGS[setting];
    const own: [string, Property] = [setting, { setting, type }];
    return older ? [own, [older.name, { setting, type: flag, older }]] : [own];
  }),
);

/** The type of the property's value. An unknown property, which is refused anyway, counts as a flag. */
const typeOf = (args?: ValidationArguments): ValueType<unknown> =>
  PROPERTIES.get((args?.object as Partial<PropertyChange> | undefined)?.property)?.type ?? flag;

const isValue = (value: unknown, args?: ValidationArguments): boolean => passesChecks(value, typeOf(args));

function complaint(args?: ValidationArguments): string {
  const [check] = typeOf(args).checks;
  return `$property is not ${check && 'complaint' in check ? check.complaint : 'a boolean'}`;
}

class PropertyChange {
  @IsId() readonly stream_id!: number;
  @IsIn([...PROPERTIES.keys()]) readonly property!: string;

  @ValidateBy({ name: 'isValueOfProperty', validator: { validate: isValue, defaultMessage: complaint } })
  readonly value!: boolean | string;
}

export class SubscriptionPropertiesParameters {
  @JsonText()
  @IsArray()
  @ArrayMaxSize(MAX_CHANGES)
  @ValidateNested({ each: true })
  @Type(() => PropertyChange)
  readonly subscription_data!: readonly PropertyChange[];
}

/** Converts the flag of an older name to the setting's value. */
export function settingChange({ stream_id: channelId, property, value }: PropertyChange): SettingChange & {
  readonly channelId: number;
} {
  const { setting, older } =
    PROPERTIES.get(property) ?? refuse('INVALID_PARAMETER', { description: 'Invalid property' });
  const to = older ? (value ? older.true : older.false) : value;
  return { channelId, setting, to: to as SettingChange['to'] };
}
