import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  ValidateBy,
  ValidateNested,
  type ValidationArguments,
} from 'class-validator';
import { JsonText } from '../../http/parameters/parameter-decorators.js';
import { COLOR, type SubscriptionSetting } from '../domain/subscriptions.settings.js';

const MAX_CHANGES = 10_000;

const PROPERTIES = [
  'color',
  'is_muted',
  'in_home_view',
  'pin_to_top',
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
] as const satisfies readonly (SubscriptionSetting | 'in_home_view')[];

type Property = (typeof PROPERTIES)[number];

const propertyOf = (args: ValidationArguments | undefined): unknown =>
  (args?.object as Partial<PropertyChange> | undefined)?.property;

const isValue = (value: unknown, args?: ValidationArguments): boolean =>
  propertyOf(args) === 'color' ? typeof value === 'string' && COLOR.test(value) : typeof value === 'boolean';

const complaint = (args?: ValidationArguments): string =>
  propertyOf(args) === 'color' ? '$property is not a valid hex color code' : '$property is not a boolean';

class PropertyChange {
  @IsInt()
  readonly stream_id!: number;

  @IsIn(PROPERTIES)
  readonly property!: Property;

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

/** `in_home_view` is the older name of not being muted. */
export const settingChange = ({ stream_id: channelId, property, value }: PropertyChange) =>
  property === 'in_home_view'
    ? { channelId, setting: 'is_muted' as const, to: !value }
    : { channelId, setting: property, to: value };
