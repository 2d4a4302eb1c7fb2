/** Names a direct-message conversation: the same for the same people in whatever order. */
export const dmKeyOf = (userIds: readonly number[]): string => [...new Set(userIds)].sort((a, b) => a - b).join(',');
