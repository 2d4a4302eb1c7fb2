/** The users, channels, topics and messages that an event concerns, as of then. An absent list is empty. */
export interface Concerned {
  readonly userIds?: readonly number[];
  readonly channelIds?: readonly number[];
  /** The topics' channels are concerned, too. */
  readonly topics?: readonly ConcernedTopic[];
  /** Without the messages of a range or of a whole topic, which the event does not name one by one. */
  readonly messageIds?: readonly number[];
}

export interface ConcernedTopic {
  readonly channelId: number;
  readonly topic: string;
}
