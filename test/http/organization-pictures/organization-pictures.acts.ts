import type { Scene } from '../../support/client-state/scene.js';
import type { Act } from '../../support/client-state/storm.js';
import { oneOf } from '../../support/dice.js';
import { flatPng } from '../../support/pictures.js';
import { sendPictures } from '../../support/requests/picture-uploads.js';

const PATHS = ['/realm/icon', '/realm/logo?night=false', '/realm/logo?night=true'];

export function organizationPictureActs(scene: Scene): readonly Act[] {
  return [
    {
      name: 'a picture of the organization is uploaded',
      run: async (roll) => sendPictures(scene.annals.url, scene.owner, oneOf(PATHS, roll), await flatPng(8, 8)),
    },
    {
      name: 'a picture of the organization is removed',
      run: (roll) => scene.owner.api.delete(oneOf(PATHS, roll)),
    },
  ];
}
