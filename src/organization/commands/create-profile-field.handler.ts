import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CreateProfileField, decideCreateProfileField } from '../domain/create-profile-field.js';
import { OrganizationDecisions } from './organization-decisions.js';

@CommandHandler(CreateProfileField)
export class CreateProfileFieldHandler implements ICommandHandler<CreateProfileField, number> {
  constructor(private readonly decisions: OrganizationDecisions) {}

  /** @returns the new profile field's id */
  async execute(command: CreateProfileField): Promise<number> {
    const [made] = await this.decisions.decide(
      decideCreateProfileField,
      command,
      this.decisions.administration(command),
    );
    if (!made) throw new Error('a profile field was neither made nor refused');
    return made.data.field.id;
  }
}
