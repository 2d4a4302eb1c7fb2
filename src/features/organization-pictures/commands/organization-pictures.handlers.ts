import { Directory } from '../../../directory/directory.js';
import {
  ORGANIZATION_PICTURES_STREAM,
  type OrganizationPictureEvent,
} from '../../../events/organization-pictures/organization-pictures.events.js';
import { decidesOn } from '../../../platform/commands/decides-on.js';
import type { CommandStream } from '../../../platform/commands/decisions.js';
import { administration } from '../../organization/commands/organization.handlers.js';
import { decidesOnPictures } from '../../uploads/commands/decides-on-pictures.js';
import { NOT_STORED_YET } from '../../uploads/domain/upload-file.js';
import {
  ChangeOrganizationPicture,
  decideChangeOrganizationPicture,
  decideRemoveOrganizationPicture,
  type OrganizationPicturesState,
  organizationPictures,
  RemoveOrganizationPicture,
} from '../domain/organization-pictures.js';

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

export const changeOrganizationPictureHandler = decidesOnPictures(ChangeOrganizationPicture, {
  stream: picturesStream,
  decide: decideChangeOrganizationPicture,
  make: async ({ kind, content, asker, becomes }, pictures) => {
    const made = await pictures.made(TASKS[kind], content, asker);
    return { pictures: [made], picture: await becomes() };
  },
  facts: (command, directory, [file = NOT_STORED_YET], made) => ({
    ...administration(command, directory),
    picture: made?.picture ?? command.kind,
    file,
  }),
});
