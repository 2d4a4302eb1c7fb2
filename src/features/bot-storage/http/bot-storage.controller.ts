import { Controller, Delete, Get, Put } from '@nestjs/common';
import { ArrayMaxSize, IsArray, IsObject, IsOptional, IsString, ValidateBy } from 'class-validator';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
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
class StoreEntriesParameters {
  @JsonText() @IsObject() @HasTexts() readonly storage!: Readonly<Record<string, string>>;
}

/** `GET` and `DELETE /bot_storage`; absent: all keys. */
class BotStorageKeysParameters {
  @IsOptional()
  @JsonText()
  @IsArray()
  @ArrayMaxSize(MOST_ENTRIES)
  @IsString({ each: true })
  readonly keys?: readonly string[];
}

@Controller('bot_storage')
export class BotStorageController {
  constructor(private readonly dispatch: Dispatch) {}

  @Get()
  async read(
    @Caller() { user }: Caller,
    @Parameters() { keys }: BotStorageKeysParameters,
  ): Promise<{ storage: Readonly<Record<string, string>> }> {
    return { storage: await this.dispatch.ask(new GetBotStorage({ userId: user._id, names: keys ?? null })) };
  }

  @Put()
  async store(@Caller() { user, by }: Caller, @Parameters() { storage }: StoreEntriesParameters): Promise<void> {
    const entries = Object.entries(storage).map(([name, value]) => ({ name, value }));
    await this.dispatch.do(new StoreEntries({ userId: user._id, entries, by }));
  }

  @Delete()
  async remove(@Caller() { user, by }: Caller, @Parameters() { keys }: BotStorageKeysParameters): Promise<void> {
    await this.dispatch.do(new RemoveEntries({ userId: user._id, names: keys ?? null, by }));
  }
}
