// The parts of the server's answers that the bench reads.

export interface SentMessage {
  readonly id: number;
}

export interface MessagePage {
  readonly messages: readonly { readonly id: number }[];
}

export interface MarkedMessages {
  readonly updated_count: number;
  readonly found_newest: boolean;
}

export interface Registration {
  readonly queue_id: string;
  readonly last_event_id: number;
  readonly unread_msgs: { readonly count: number };
}

export interface EventBatch {
  readonly events: readonly ClientEvent[];
}

export interface MessageEvent {
  readonly type: 'message';
  readonly id: number;
  readonly message: { readonly content: string };
}

type ClientEvent = MessageEvent | { readonly type: 'heartbeat'; readonly id: number };
