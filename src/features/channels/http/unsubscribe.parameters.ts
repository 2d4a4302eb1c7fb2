import { ChannelNames, Principals } from './list.decorators.js';

export class UnsubscribeParameters {
  @ChannelNames()
  readonly subscriptions!: readonly string[];

  @Principals()
  readonly principals?: readonly number[] | readonly string[];
}
