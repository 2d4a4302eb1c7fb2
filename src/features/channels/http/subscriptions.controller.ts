import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
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
import { Caller } from '../../../directory/http/caller.decorator.js';
import {
  COLOR,
  SUBSCRIPTION_SETTINGS,
  type SubscriptionSetting,
  type SubscriptionSettingRow,
} from '../../../events/channels/subscriptions.settings.js';
import { namesOf, type OlderFlag } from '../../../events/shared/settings.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { IsId, JsonText, OptionalFlag, OptionalText } from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { flag, passesChecks, type ValueType } from '../../../platform/kernel/value-type.js';
import { ChangeSubscriptionSettings, type SettingChange } from '../domain/change-subscription-settings.js';
import { type SubscribeResult, SubscribeToChannels } from '../domain/subscribe-to-channels.js';
import { UpdateSubscriptions, type UpdateSubscriptionsResult } from '../domain/subscribe-users.js';
import { UnsubscribeFromChannels, type UnsubscribeResult } from '../domain/unsubscribe-from-channels.js';
import { GetSubscribers, GetSubscriptionStatus, GetSubscriptions } from '../queries/channels.queries.js';
import type { SubscriptionForClients } from '../queries/channels-for-clients.js';
import { ChannelOptionsParameters, channelOptions } from './channel-options.parameters.js';
import { ChannelNames, MAX_CHANNELS, Principals } from './list.decorators.js';

class RequestedChannel {
  @IsString() readonly name!: string;
  @OptionalText() readonly description: string = '';
}

class SubscribeParameters extends ChannelOptionsParameters {
  @JsonText()
  @IsArray()
  @ArrayMaxSize(MAX_CHANNELS)
  @ValidateNested({ each: true })
  @Type(() => RequestedChannel)
  readonly subscriptions!: readonly RequestedChannel[];

  @Principals() readonly principals?: readonly number[] | readonly string[];
  @OptionalFlag() readonly authorization_errors_fatal: boolean = true;
}

class UnsubscribeParameters {
  @ChannelNames() readonly subscriptions!: readonly string[];
  @Principals() readonly principals?: readonly number[] | readonly string[];
}

class GetSubscriptionsParameters {
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

class UpdateSubscriptionsParameters {
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

class SubscriptionPropertiesParameters {
  @JsonText()
  @IsArray()
  @ArrayMaxSize(MAX_CHANGES)
  @ValidateNested({ each: true })
  @Type(() => PropertyChange)
  readonly subscription_data!: readonly PropertyChange[];
}

/** Converts the flag of an older name to the setting's value. */
function settingChange({ stream_id: channelId, property, value }: PropertyChange): SettingChange & {
  readonly channelId: number;
} {
  const { setting, older } =
    PROPERTIES.get(property) ?? refuse('INVALID_PARAMETER', { description: 'Invalid property' });
  const to = older ? (value ? older.true : older.false) : value;
  return { channelId, setting, to: to as SettingChange['to'] };
}

@Controller('users/me/subscriptions')
export class SubscriptionsController {
  constructor(private readonly dispatch: Dispatch) {}

  @Get()
  async list(
    @Caller() { user }: Caller,
    @Parameters() { include_subscribers }: GetSubscriptionsParameters,
  ): Promise<{ subscriptions: readonly SubscriptionForClients[] }> {
    const query = new GetSubscriptions({ userId: user._id, includeSubscribers: include_subscribers !== 'false' });
    return { subscriptions: await this.dispatch.ask(query) };
  }

  @Post()
  subscribe(@Caller() { user, by }: Caller, @Parameters() parameters: SubscribeParameters): Promise<SubscribeResult> {
    const request = {
      channels: parameters.subscriptions.map((channel) => ({ ...channel, color: null })),
      principals: parameters.principals ?? null,
      authorizationErrorsFatal: parameters.authorization_errors_fatal,
      options: channelOptions(parameters),
    };
    return this.dispatch.do(new SubscribeToChannels({ request, callerId: user._id, by }));
  }

  @Patch()
  update(
    @Caller() { user, by }: Caller,
    @Parameters() parameters: UpdateSubscriptionsParameters,
  ): Promise<UpdateSubscriptionsResult> {
    const add = parameters.add.map((channel) => ({ ...channel, color: channel.color ?? null }));
    const remove = parameters.delete;
    return this.dispatch.do(new UpdateSubscriptions({ add, remove, callerId: user._id, by }));
  }

  @Delete()
  unsubscribe(
    @Caller() { user, by }: Caller,
    @Parameters() { subscriptions, principals }: UnsubscribeParameters,
  ): Promise<UnsubscribeResult> {
    return this.dispatch.do(
      new UnsubscribeFromChannels({
        channelNames: subscriptions,
        principals: principals ?? null,
        callerId: user._id,
        by,
      }),
    );
  }

  @Post('properties')
  async changeSettings(
    @Caller() { user, by }: Caller,
    @Parameters() { subscription_data }: SubscriptionPropertiesParameters,
  ): Promise<void> {
    const changes = subscription_data.map(settingChange);
    await this.dispatch.do(new ChangeSubscriptionSettings({ userId: user._id, changes, by }));
  }
}

@Controller()
export class SubscribersController {
  constructor(private readonly dispatch: Dispatch) {}

  @Get('streams/:stream_id/members')
  async list(
    @Caller() { user }: Caller,
    @PathId('stream_id') channelId: number,
  ): Promise<{ subscribers: readonly number[] }> {
    return { subscribers: await this.dispatch.ask(new GetSubscribers({ channelId, reader: user })) };
  }

  @Get('users/:user_id/subscriptions/:stream_id')
  async status(
    @Caller() { user }: Caller,
    @PathId('user_id') userId: number,
    @PathId('stream_id') channelId: number,
  ): Promise<{ is_subscribed: boolean }> {
    return { is_subscribed: await this.dispatch.ask(new GetSubscriptionStatus({ userId, channelId, reader: user })) };
  }
}
