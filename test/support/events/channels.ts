import type { CreateChannelFacts } from '../../../src/features/channels/domain/create-channel.js';
import type { UpdateChannelFacts } from '../../../src/features/channels/domain/update-channel.js';

/** Facts for a creator with all permissions. There are users 1 to 8 and group 20; user 9 and group 21 are deactivated. */
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

/** Facts for a user with all permissions on a channel with subscribers and without topics, in the same organization. */
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
