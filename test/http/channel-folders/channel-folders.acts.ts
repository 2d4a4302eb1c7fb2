import type { Scene } from '../../support/client-state/scene.js';
import type { Act } from '../../support/client-state/storm.js';
import { oneOf, type Roll } from '../../support/dice.js';

const NAMES = ['art', 'music', 'sports'];

/** Few names, so that they are used again. Requests are refused when the storm has them so. */
export function channelFolderActs(scene: Scene): readonly Act[] {
  const { owner } = scene;
  const all = async (): Promise<number[]> => {
    const { body } = await owner.api.get('/channel_folders', { include_archived: true });
    return body.channel_folders.map(({ id }: { id: number }) => id);
  };
  const one = async (roll: Roll) => oneOf([...(await all()), 0], roll);
  return [
    {
      name: 'a channel folder is made',
      run: (roll) => owner.api.post('/channel_folders/create', { name: oneOf(NAMES, roll) }),
    },
    {
      name: 'a channel folder changes',
      run: async (roll) => {
        const changes = oneOf(
          [{ name: oneOf(NAMES, roll) }, { description: '*new*' }, { is_archived: roll(2) === 0 }],
          roll,
        );
        return owner.api.patch(`/channel_folders/${await one(roll)}`, changes);
      },
    },
    {
      name: 'channel folders are reordered',
      run: async () => owner.api.patch('/channel_folders', { order: (await all()).reverse() }),
    },
    {
      name: 'a channel is put in a folder or taken out',
      weight: 2,
      run: async (roll) => {
        const folder_id = roll(3) === 0 ? null : await one(roll);
        return owner.api.patch(`/streams/${scene.channelId(roll)}`, { folder_id });
      },
    },
  ];
}
