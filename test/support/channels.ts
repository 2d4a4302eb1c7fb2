import type { CreateChannelFacts } from '../../src/features/channels/domain/create-channel.js';
import type { UpdateChannelFacts } from '../../src/features/channels/domain/update-channel.js';

/** Of a creator who may everything, in an organisation of users 1 to 9 and of the groups 20 and 21, of which 21 has ended. */
export const creationFacts = (changes: Partial<CreateChannelFacts> = {}): CreateChannelFacts => ({
  mayCreate: true,
  mayMakeDefault: true,
  maySetRetention: true,
  maySetTopicsPolicy: true,
  maySetDeletePolicy: true,
  groups: {
    group: (id) => (id === 20 ? 'active' : id === 21 ? 'deactivated' : 'unknown'),
    isActiveUser: (id) => id >= 1 && id <= 8,
  },
  account: (id) => (id <= 8 ? 'active' : id === 9 ? 'deactivated' : 'unknown'),
  render: (description) => `<p>${description}</p>`,
  ...changes,
});

/** Of somebody who may everything to a channel that has subscribers and no topics, in the same organisation. */
export const updateFacts = (changes: Partial<UpdateChannelFacts> = {}): UpdateChannelFacts => ({
  maySee: true,
  mayRead: true,
  mayAdminister: true,
  mayCreatePublic: true,
  mayCreatePrivate: true,
  mayMakeDefault: true,
  maySetRetention: true,
  maySetTopicsPolicy: true,
  maySetDeletePolicy: true,
  isDefault: false,
  takesReports: false,
  hasTopics: false,
  hasSubscribers: true,
  groups: creationFacts().groups,
  render: (description) => `<p>${description}</p>`,
  ...changes,
});
