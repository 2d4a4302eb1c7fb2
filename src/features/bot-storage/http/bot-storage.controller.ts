import { Controller, Delete, Get, Put } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ArrayMaxSize, IsArray, IsObject, IsOptional, IsString, ValidateBy } from 'class-validator';
import { Caller, commandContext } from '../../../directory/http/caller.decorator.js';
import { JsonText } from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { GetBotStorage } from '../bot-storage.handlers.js';
import { MOST_ENTRIES, RemoveEntries, StoreEntries } from '../domain/bot-storage.js';

/** The name of the first value that is no text. */
const wrongName = (value: unknown): string | undefined =>
  Object.entries(value ?? {}).find(([, one]) => typeof one !== 'string')?.[0];

const HasTexts = (): PropertyDecorator =>
  ValidateBy({
    name: 'hasTexts',
    validator: {
      validate: (value) => wrongName(value) === undefined,
      defaultMessage: (about) => `$property["${wrongName(about?.value)}"] is not a string`,
    },
  });

/** `PUT /bot_storage` */
export class StoreEntriesParameters {
  @JsonText()
  @IsObject()
  @HasTexts()
  readonly storage!: Readonly<Record<string, string>>;
}

/** `GET` and `DELETE /bot_storage`; absent: all keys. */
export class BotStorageKeysParameters {
  @IsOptional()
  @JsonText()
  @IsArray()
  @ArrayMaxSize(MOST_ENTRIES)
  @IsString({ each: true })
  readonly keys?: readonly string[];
}

@Controller('bot_storage')
export class BotStorageController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  async read(
    @Caller() { user }: Caller,
    @Parameters(BotStorageKeysParameters) { keys }: BotStorageKeysParameters,
  ): Promise<{ storage: Readonly<Record<string, string>> }> {
    return { storage: await this.queries.execute(new GetBotStorage({ userId: user._id, names: keys ?? null })) };
  }

  @Put()
  async store(
    @Caller() caller: Caller,
    @Parameters(StoreEntriesParameters) { storage }: StoreEntriesParameters,
  ): Promise<void> {
    const entries = Object.entries(storage).map(([name, value]) => ({ name, value }));
    await this.commands.execute(new StoreEntries({ userId: caller.user._id, entries, by: commandContext(caller) }));
  }

  @Delete()
  async remove(
    @Caller() caller: Caller,
    @Parameters(BotStorageKeysParameters) { keys }: BotStorageKeysParameters,
  ): Promise<void> {
    await this.commands.execute(
      new RemoveEntries({ userId: caller.user._id, names: keys ?? null, by: commandContext(caller) }),
    );
  }
}
