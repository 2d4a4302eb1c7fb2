import type { Scene } from '../../support/client-state/scene.js';
import type { Act } from '../../support/client-state/storm.js';
import { oneOf } from '../../support/dice.js';
import { flatPng } from '../../support/pictures.js';
import { addEmoji } from '../../support/requests/custom-emoji.js';

const NAMES = ['tick', 'tock', 'tack'];

/** Few names, so that they are used again. */
export function customEmojiActs(scene: Scene): readonly Act[] {
  return [
    {
      name: 'a custom emoji is added',
      run: async (roll) => addEmoji(scene.annals.url, scene.anybody(roll), oneOf(NAMES, roll), await flatPng(8, 8)),
    },
    {
      name: 'a custom emoji is deactivated',
      run: (roll) => scene.owner.api.delete(`/realm/emoji/${oneOf(NAMES, roll)}`),
    },
  ];
}
