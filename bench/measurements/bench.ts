import type { Organization } from '../data/organization.js';
import type { Child } from '../servers/child.js';

export interface MeasuredServer {
  readonly child: Child;
  readonly port: number;
  readonly dataDirectory: string;
  /** Messages that were seeded. */
  readonly messages: number;
  /** Events that were seeded, messages not counted. */
  readonly organizationEvents: number;
  /** Seconds from the start of the process until everything was built; null if the data came from an earlier run. */
  readonly firstBuildSeconds: number | null;
  readonly readySeconds: number;
  /** Resident memory when it became ready, MiB. */
  readonly memoryAtStart: number;
  readonly diskMiB: number;
}

/** How long each measurement takes. */
export interface Effort {
  readonly sendRounds: number;
  readonly sendSeconds: number;
  readonly warmUpSeconds: number;
  readonly normalSeconds: number;
  readonly readBlocks: number;
  readonly readsABlock: number;
  readonly registrations: number;
  readonly presenceSeconds: number;
  readonly sendBlocks: number;
  readonly sendsABlock: number;
  readonly queues: readonly number[];
  readonly warmUpDeliveries: number;
  readonly deliveriesTo: (queues: number) => number;
}

/** Everything that a measurement works with. */
export interface Bench {
  readonly organization: Organization;
  readonly big: MeasuredServer;
  readonly small: MeasuredServer;
  readonly yardsticks: { nest: Child; fastify: Child };
  /** A folder for data of this run. */
  readonly directory: string;
  readonly effort: Effort;
  /** Tells people about the progress. */
  readonly say: (line: string) => void;
}

export const thorough: Effort = {
  sendRounds: 5,
  sendSeconds: 4,
  warmUpSeconds: 3,
  normalSeconds: 30,
  readBlocks: 10,
  readsABlock: 30,
  registrations: 40,
  presenceSeconds: 30,
  sendBlocks: 10,
  sendsABlock: 100,
  queues: [1, 100, 1000],
  warmUpDeliveries: 20,
  deliveriesTo: (queues) => Math.max(50, Math.min(300, 20_000 / queues)),
};

export const quick: Effort = {
  sendRounds: 1,
  sendSeconds: 0.6,
  warmUpSeconds: 0.3,
  normalSeconds: 1.5,
  readBlocks: 3,
  readsABlock: 5,
  registrations: 10,
  presenceSeconds: 3,
  sendBlocks: 3,
  sendsABlock: 15,
  queues: [1, 100],
  warmUpDeliveries: 3,
  deliveriesTo: () => 20,
};
