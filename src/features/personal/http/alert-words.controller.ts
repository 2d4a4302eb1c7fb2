import { Controller, Delete, Get, Post } from '@nestjs/common';
import { ArrayMaxSize, IsArray, IsString, MaxLength } from 'class-validator';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { JsonText } from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { AddAlertWords, RemoveAlertWords } from '../domain/alert-words.js';
import { GetAlertWords } from '../queries/personal.queries.js';

const LONGEST_WORD = 100;
const MOST_AT_ONCE = 1000;

class AlertWordsParameters {
  @JsonText()
  @IsArray()
  @ArrayMaxSize(MOST_AT_ONCE)
  @IsString({ each: true })
  @MaxLength(LONGEST_WORD, { each: true })
  readonly alert_words!: readonly string[];
}

@Controller('users/me/alert_words')
export class AlertWordsController {
  constructor(private readonly dispatch: Dispatch) {}

  @Get()
  async list(@Caller() { user }: Caller): Promise<{ alert_words: readonly string[] }> {
    return { alert_words: await this.dispatch.ask(new GetAlertWords({ userId: user._id })) };
  }

  @Post()
  async add(
    @Caller() caller: Caller,
    @Parameters() { alert_words }: AlertWordsParameters,
  ): Promise<{ alert_words: readonly string[] }> {
    await this.dispatch.do(new AddAlertWords({ userId: caller.user._id, words: alert_words, by: caller.by }));
    return this.list(caller);
  }

  @Delete()
  async remove(
    @Caller() caller: Caller,
    @Parameters() { alert_words }: AlertWordsParameters,
  ): Promise<{ alert_words: readonly string[] }> {
    await this.dispatch.do(new RemoveAlertWords({ userId: caller.user._id, words: alert_words, by: caller.by }));
    return this.list(caller);
  }
}
