import { describe, it } from '@jest/globals';
import type {
  OrganizationPicture,
  OrganizationPictureChanged,
  OrganizationPictureEvent,
  OrganizationPictureRemoved,
} from '../../../src/events/organization-pictures/organization-pictures.events.js';
import {
  ChangeOrganizationPicture,
  decideChangeOrganizationPicture,
  decideRemoveOrganizationPicture,
  organizationPictures,
  RemoveOrganizationPicture,
} from '../../../src/features/organization-pictures/domain/organization-pictures.js';
import { sha256Of } from '../../../src/platform/kernel/sha256.js';
import { given } from '../../support/events/given.js';
import { asker } from '../../support/requests/asker.js';

const by = { actorId: 7, client: 'test', correlationId: 'c' };
async function* content(): AsyncGenerator<Uint8Array> {}

const stored = (fileId: string) => ({ fileId, measure: { size: fileId.length, sha256: sha256Of(fileId) } });
const changed = (
  picture: OrganizationPicture,
  version: number,
  fileId: string,
  previousFileId: string | null = null,
): OrganizationPictureChanged => ({
  type: 'OrganizationPictureChanged',
  data: { picture, version, ...stored(fileId), previousFileId },
});
const removed = (
  picture: OrganizationPicture,
  version: number,
  previousFileId: string,
): OrganizationPictureRemoved => ({
  type: 'OrganizationPictureRemoved',
  data: { picture, version, previousFileId },
});

describe('changing a picture of the organization', () => {
  const when = (
    history: readonly OrganizationPictureEvent[],
    picture: OrganizationPicture = 'icon',
    mayAdminister = true,
  ) => {
    const kind = picture === 'icon' ? 'icon' : 'logo';
    const command = new ChangeOrganizationPicture({
      kind,
      content: content(),
      asker,
      becomes: async () => picture,
      by,
    });
    return given(organizationPictures, history).when(decideChangeOrganizationPicture, command, {
      mayAdminister,
      picture,
      file: stored('new'),
    });
  };

  it('counts each picture, records its file, and names the one that it replaces', () => {
    when([]).then([changed('icon', 2, 'new')]);
    when([changed('icon', 2, 'old')]).then([changed('icon', 3, 'new', 'old')]);
    when([changed('icon', 2, 'old'), removed('icon', 3, 'old')]).then([changed('icon', 4, 'new')]);
  });

  it('leaves the other pictures as they are', () => {
    const history = [changed('logo', 2, 'day'), changed('icon', 2, 'square')];
    when(history, 'nightLogo').then([changed('nightLogo', 2, 'new')]);
    when([...history, changed('nightLogo', 2, 'night')], 'logo').then([changed('logo', 3, 'new', 'day')]);
  });

  it('is refused to others than administrators', () => when([], 'logo', false).thenRefuses('ADMINISTRATOR_REQUIRED'));
});

describe('removing a picture of the organization', () => {
  const when = (
    history: readonly OrganizationPictureEvent[],
    picture: OrganizationPicture = 'logo',
    mayAdminister = true,
  ) =>
    given(organizationPictures, history).when(
      decideRemoveOrganizationPicture,
      new RemoveOrganizationPicture({ picture, by }),
      { mayAdminister },
    );

  it('names the file, which is deleted', () => {
    when([changed('logo', 2, 'day'), changed('nightLogo', 2, 'night')]).then([removed('logo', 3, 'day')]);
  });

  it('does nothing if the picture is the default', () => {
    when([]).thenNothing();
    when([changed('nightLogo', 2, 'night')]).thenNothing();
    when([changed('logo', 2, 'day'), removed('logo', 3, 'day')]).thenNothing();
  });

  it('is refused to others than administrators', () =>
    when([changed('logo', 2, 'day')], 'logo', false).thenRefuses('ADMINISTRATOR_REQUIRED'));
});
