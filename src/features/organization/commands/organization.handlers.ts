import { Directory } from '../../../directory/directory.js';
import { may } from '../../../directory/permissions.js';
import { decidesOn, fromFirst } from '../../../platform/commands/decides-on.js';
import { AddLinkifier, decideAddLinkifier } from '../domain/add-linkifier.js';
import { AddPlayground, decideAddPlayground } from '../domain/add-playground.js';
import { ChangeLinkifier, decideChangeLinkifier } from '../domain/change-linkifier.js';
import { ChangeProfileField, decideChangeProfileField } from '../domain/change-profile-field.js';
import { CreateOrganization, decideCreateOrganization } from '../domain/create-organization.js';
import { CreateProfileField, decideCreateProfileField } from '../domain/create-profile-field.js';
import { decideRecordPushPermission, RecordPushPermission } from '../domain/record-push-permission.js';
import { decideRemoveDefaultChannel, RemoveDefaultChannel } from '../domain/remove-default-channel.js';
import { decideRemoveLinkifier, RemoveLinkifier } from '../domain/remove-linkifier.js';
import { decideRemovePlayground, RemovePlayground } from '../domain/remove-playground.js';
import { decideRemoveProfileField, RemoveProfileField } from '../domain/remove-profile-field.js';
import { decideReorderLinkifiers, ReorderLinkifiers } from '../domain/reorder-linkifiers.js';
import { decideReorderProfileFields, ReorderProfileFields } from '../domain/reorder-profile-fields.js';
import { administration, organizationStream } from './organization-stream.js';

/** Stream and facts of commands that administrators send. */
const byAdministrators = { stream: organizationStream, uses: Directory, facts: administration } as const;

export const organizationHandlers = [
  decidesOn(CreateOrganization, {
    stream: { ...organizationStream, expects: 'any' },
    decide: decideCreateOrganization,
  }),
  decidesOn(RecordPushPermission, { stream: organizationStream, decide: decideRecordPushPermission }),
  decidesOn(RemoveDefaultChannel, {
    stream: organizationStream,
    decide: decideRemoveDefaultChannel,
    uses: Directory,
    facts: ({ callerId, channelId }, directory) => {
      const caller = directory.user(callerId);
      return {
        isAdministrator: caller !== undefined && may(caller, 'administer', directory),
        channelExists: directory.channel(channelId) !== undefined,
      };
    },
  }),
  decidesOn(CreateProfileField, {
    ...byAdministrators,
    decide: decideCreateProfileField,
    answer: fromFirst(({ data }) => data.field.id),
  }),
  decidesOn(ChangeProfileField, { ...byAdministrators, decide: decideChangeProfileField }),
  decidesOn(RemoveProfileField, { ...byAdministrators, decide: decideRemoveProfileField }),
  decidesOn(ReorderProfileFields, { ...byAdministrators, decide: decideReorderProfileFields }),
  decidesOn(AddLinkifier, {
    ...byAdministrators,
    decide: decideAddLinkifier,
    answer: fromFirst(({ data }) => data.linkifier.id),
  }),
  decidesOn(ChangeLinkifier, { ...byAdministrators, decide: decideChangeLinkifier }),
  decidesOn(RemoveLinkifier, { ...byAdministrators, decide: decideRemoveLinkifier }),
  decidesOn(ReorderLinkifiers, { ...byAdministrators, decide: decideReorderLinkifiers }),
  decidesOn(AddPlayground, {
    ...byAdministrators,
    decide: decideAddPlayground,
    answer: fromFirst(({ data }) => data.playground.id),
  }),
  decidesOn(RemovePlayground, { ...byAdministrators, decide: decideRemovePlayground }),
];
