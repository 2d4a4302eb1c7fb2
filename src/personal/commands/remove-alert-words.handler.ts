import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { decideRemoveAlertWords, RemoveAlertWords } from '../domain/remove-alert-words.js';
import { PersonalStream } from './personal-stream.js';

@CommandHandler(RemoveAlertWords)
export class RemoveAlertWordsHandler implements ICommandHandler<RemoveAlertWords, void> {
  constructor(private readonly stream: PersonalStream) {}

  async execute(command: RemoveAlertWords): Promise<void> {
    await this.stream.decide(decideRemoveAlertWords, command, undefined);
  }
}
