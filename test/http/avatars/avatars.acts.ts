import type { Scene } from '../../support/client-state/scene.js';
import type { Act } from '../../support/client-state/storm.js';
import { flatPng } from '../../support/pictures.js';
import { sendPictures } from '../../support/requests/picture-uploads.js';

export function avatarActs(scene: Scene): readonly Act[] {
  return [
    {
      name: 'an avatar is uploaded',
      run: async (roll) => sendPictures(scene.annals.url, scene.anybody(roll), '/users/me/avatar', await flatPng(8, 8)),
    },
    { name: 'an avatar is removed', run: (roll) => scene.anybody(roll).api.delete('/users/me/avatar') },
  ];
}
