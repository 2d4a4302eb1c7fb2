/** The key of a direct-message conversation: the same for the same users in any order. */
export const dmKeyOf = (userIds: readonly number[]): string => [...new Set(userIds)].sort((a, b) => a - b).join(',');
