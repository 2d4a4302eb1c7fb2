import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { IsString, MaxLength } from 'class-validator';
import { Caller, commandContext } from '../../../directory/http/caller.decorator.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PreviewWelcome } from '../commands/preview-welcome.handler.js';
import { MAX_WELCOME_TEXT } from './invitations.parameters.js';

/** `POST /realm/test_welcome_bot_custom_message` */
export class PreviewWelcomeParameters {
  @IsString()
  @MaxLength(MAX_WELCOME_TEXT)
  readonly welcome_message_custom_text!: string;
}

@Controller('realm/test_welcome_bot_custom_message')
export class PreviewWelcomeController {
  constructor(private readonly commands: CommandBus) {}

  @Post()
  async preview(
    @Caller() caller: Caller,
    @Parameters(PreviewWelcomeParameters) { welcome_message_custom_text: text }: PreviewWelcomeParameters,
  ): Promise<{ message_id: number }> {
    const command = new PreviewWelcome({ callerId: caller.user._id, text, by: commandContext(caller) });
    return { message_id: await this.commands.execute(command) };
  }
}
