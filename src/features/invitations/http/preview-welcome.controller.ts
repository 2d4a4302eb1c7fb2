import { Controller, Post } from '@nestjs/common';
import { IsString, MaxLength } from 'class-validator';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PreviewWelcome } from '../commands/preview-welcome.handler.js';
import { MAX_WELCOME_TEXT } from './invitations.parameters.js';

/** `POST /realm/test_welcome_bot_custom_message` */
export class PreviewWelcomeParameters {
  @IsString() @MaxLength(MAX_WELCOME_TEXT) readonly welcome_message_custom_text!: string;
}

@Controller('realm/test_welcome_bot_custom_message')
export class PreviewWelcomeController {
  constructor(private readonly dispatch: Dispatch) {}

  @Post()
  async preview(
    @Caller() { user, by }: Caller,
    @Parameters() { welcome_message_custom_text: text }: PreviewWelcomeParameters,
  ): Promise<{ message_id: number }> {
    const command = new PreviewWelcome({ callerId: user._id, text, by });
    return { message_id: await this.dispatch.do(command) };
  }
}
