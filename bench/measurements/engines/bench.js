// @ts-check

/**
 * How long everything is measured.
 *
 * @typedef {object} EngineEffort
 * @property {number} rounds
 * @property {number} seconds of one rate
 * @property {number} warmUpSeconds before anything counts: the programs' code is compiled as it is used
 * @property {number} times that each level is measured while it is raised
 * @property {readonly number[]} concurrencies raised from the first one until that brings nothing more
 * @property {readonly number[]} bursts the same, for sends that are waited for in the log
 * @property {number} deliveries
 * @property {number} warmUpDeliveries
 * @property {number} readEvents
 */

/**
 * What a measurement of the engines works with.
 *
 * @typedef {object} EngineBench
 * @property {import('../../data/organization.js').Organization} organization
 * @property {import('../../servers/engines.js').Engines} engines
 * @property {import('../../servers/fleet.js').Fleet} fleet
 * @property {EngineEffort} effort
 * @property {(line: string) => void} say progress, to people
 */

/** @type {EngineEffort} */
export const thoroughly = {
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

/** @type {EngineEffort} */
export const quickly = {
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
