import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AddAlertWords, decideAddAlertWords } from '../domain/add-alert-words.js';
import { PersonalStream } from './personal-stream.js';

@CommandHandler(AddAlertWords)
export class AddAlertWordsHandler implements ICommandHandler<AddAlertWords, void> {
  constructor(private readonly stream: PersonalStream) {}

  async execute(command: AddAlertWords): Promise<void> {
    await this.stream.decide(decideAddAlertWords, command, undefined);
  }
}
