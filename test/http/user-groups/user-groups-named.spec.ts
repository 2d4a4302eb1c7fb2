import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Directory } from '../../../src/directory/directory.js';
import { settingsNaming } from '../../../src/directory/settings-naming.js';
import { Annals, type Member } from '../../support/servers/annals.js';

describe('groups by name', () => {
  let annals: Annals;
  let owner: Member;
  let streamId: number;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    streamId = (await owner.api.get('/get_stream_id', { stream: 'general' })).body.stream_id;
  });
  afterAll(() => annals.stop());

  const newGroup = async (name: string): Promise<number> => {
    const { body } = await owner.api.post('/user_groups/create', { name, description: '', members: [1] });
    return body.group_id;
  };

  it.each([
    ['a channel', (id: number) => owner.api.patch(`/streams/${streamId}`, { can_send_message_group: { new: id } })],
    ['the organization', (id: number) => owner.api.patch('/realm', { can_create_bots_group: { new: id } })],
    [
      'a new channel',
      (id: number) =>
        owner.api.post('/channels/create', { name: `c ${id}`, subscribers: [1], can_subscribe_group: id }),
    ],
  ])(
    'no deactivated group is left in a permission of %s, in whichever order the two requests arrive',
    async (what, name) => {
      const directory = annals.app.get(Directory);
      for (let round = 0; round < 15; round++) {
        const id = await newGroup(`${what} ${round}`);
        const [deactivated, named] = await Promise.all([
          owner.api.post(`/user_groups/${id}/deactivate`),
          round % 2 === 0 ? name(id) : Promise.resolve().then(() => name(id)),
        ]);
        const naming = settingsNaming(id, directory);
        const isNamed = naming.realm.length + naming.channels.length > 0;
        expect(isNamed).toBe(named.status === 200);
        expect(directory.groups.group(id)?.isDeactivated).toBe(!isNamed);
        if (deactivated.status !== 200) expect(deactivated.body.code).toBe('CANNOT_DEACTIVATE_GROUP_IN_USE');
        expect([deactivated.status, named.status]).toContain(200);
      }
    },
  );
});
