import type { Organization } from '../../data/organization.js';
import type { Engines } from '../../servers/engines.js';
import type { Fleet } from '../../servers/fleet.js';

/** How long each measurement of the engines takes. */
export interface EngineEffort {
  readonly rounds: number;
  /** Seconds that one rate is measured. */
  readonly seconds: number;
  /** Seconds before anything counts, in which the programs' code is compiled. */
  readonly warmUpSeconds: number;
  /** How often each level is measured while it is raised. */
  readonly times: number;
  /** Numbers of requests under way, raised until a higher one gains nothing. */
  readonly concurrencies: readonly number[];
  /** Numbers of sends at the same moment, raised likewise. */
  readonly bursts: readonly number[];
  readonly deliveries: number;
  readonly warmUpDeliveries: number;
  readonly readEvents: number;
}

/** Everything that a measurement of the engines works with. */
export interface EngineBench {
  readonly organization: Organization;
  readonly engines: Engines;
  readonly fleet: Fleet;
  readonly effort: EngineEffort;
  /** Tells people about the progress. */
  readonly say: (line: string) => void;
}

export const thoroughly: EngineEffort = {
  rounds: 3,
  seconds: 2,
  warmUpSeconds: 10,
  times: 3,
  concurrencies: [64, 128, 256, 512, 1024],
  bursts: [512, 1024, 2048, 4096, 8192],
  deliveries: 100,
  warmUpDeliveries: 20,
  readEvents: 50_000,
};

export const quickly: EngineEffort = {
  rounds: 1,
  seconds: 0.5,
  warmUpSeconds: 1,
  times: 1,
  concurrencies: [64, 128],
  bursts: [64, 256],
  deliveries: 20,
  warmUpDeliveries: 3,
  readEvents: 2000,
};
