import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import {
  ORGANIZATION_PICTURES_STREAM,
  type OrganizationPictureEvent,
} from '../../../events/organization-pictures/organization-pictures.events.js';
import { decidesOn } from '../../../platform/commands/decides-on.js';
import { type CommandStream, Decisions } from '../../../platform/commands/decisions.js';
import { administration } from '../../organization/commands/organization-stream.js';
import { PictureFiles } from '../../uploads/commands/picture-files.js';
import { NOT_STORED_YET } from '../../uploads/domain/measured-file.js';
import { ChangeOrganizationPicture, decideChangeOrganizationPicture } from '../domain/change-organization-picture.js';
import { type OrganizationPicturesState, organizationPictures } from '../domain/organization-pictures.state.js';
import { decideRemoveOrganizationPicture, RemoveOrganizationPicture } from '../domain/remove-organization-picture.js';

const picturesStream: CommandStream<OrganizationPicturesState, OrganizationPictureEvent> = {
  stream: ORGANIZATION_PICTURES_STREAM,
  decider: organizationPictures,
  expects: 'any',
};

export const removeOrganizationPictureHandler = decidesOn(RemoveOrganizationPicture, {
  stream: picturesStream,
  decide: decideRemoveOrganizationPicture,
  uses: Directory,
  facts: administration,
});

/** Sizes in pixels, as clients expect. An icon is a square; a logo keeps its proportions. */
const TASKS = {
  icon: { maxWidth: 100, maxHeight: 100, framing: 'cover', format: 'png', animated: false },
  logo: { maxWidth: 800, maxHeight: 100, framing: 'inside', format: 'png', animated: false },
} as const;

@CommandHandler(ChangeOrganizationPicture)
export class ChangeOrganizationPictureHandler implements ICommandHandler<ChangeOrganizationPicture> {
  constructor(
    private readonly directory: Directory,
    private readonly decisions: Decisions,
    private readonly pictures: PictureFiles,
  ) {}

  async execute(command: ChangeOrganizationPicture): Promise<void> {
    const { kind, content, asker, becomes } = command;
    // Whoever may not change the picture sends none in vain.
    const facts = { ...administration(command, this.directory), picture: kind, file: NOT_STORED_YET };
    await this.decisions.check(picturesStream, decideChangeOrganizationPicture, command, facts);
    const made = await this.pictures.made(TASKS[kind], content, asker);
    const picture = await becomes();
    await this.pictures.stored([made], ([file = NOT_STORED_YET]) =>
      this.decisions.decide(picturesStream, decideChangeOrganizationPicture, command, {
        ...administration(command, this.directory),
        picture,
        file,
      }),
    );
  }
}
