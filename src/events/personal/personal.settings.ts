/** A user's policy for one topic, by the API's numbers. */
export const TOPIC_POLICIES = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const;
export type TopicPolicy = (typeof TOPIC_POLICIES)[keyof typeof TOPIC_POLICIES];
