// @ts-check

/**
 * @typedef {object} MeasuredServer
 * @property {import('../servers/child.js').Child} child
 * @property {number} port
 * @property {string} dataDirectory
 * @property {number} messages seeded
 * @property {number} organizationEvents seeded, all that are no messages
 * @property {number | null} firstBuildSeconds from the start of the process until everything was built; null where it was kept from an earlier run
 * @property {number} readySeconds
 * @property {number} memoryAtStart MiB
 * @property {number} diskMiB
 */

/**
 * How long everything is measured.
 *
 * @typedef {object} Effort
 * @property {number} sendRounds
 * @property {number} sendSeconds
 * @property {number} warmUpSeconds
 * @property {number} normalSeconds
 * @property {number} readBlocks
 * @property {number} readsABlock
 * @property {number} registrations
 * @property {number} sendBlocks
 * @property {number} sendsABlock
 * @property {readonly number[]} queues
 * @property {number} warmUpDeliveries
 * @property {(queues: number) => number} deliveriesTo
 */

/**
 * What a measurement works with.
 *
 * @typedef {object} Bench
 * @property {import('../data/organization.js').Organization} organization
 * @property {MeasuredServer} big
 * @property {MeasuredServer} small
 * @property {{ nest: import('../servers/child.js').Child, fastify: import('../servers/child.js').Child }} yardsticks
 * @property {Effort} effort
 * @property {(line: string) => void} say progress, to people
 */

/** @type {Effort} */
export const thorough = {
  sendRounds: 5,
  sendSeconds: 4,
  warmUpSeconds: 3,
  normalSeconds: 30,
  readBlocks: 10,
  readsABlock: 30,
  registrations: 40,
  sendBlocks: 10,
  sendsABlock: 100,
  queues: [1, 100, 1000],
  warmUpDeliveries: 20,
  deliveriesTo: (queues) => Math.max(50, Math.min(300, 20_000 / queues)),
};

/** @type {Effort} */
export const quick = {
  sendRounds: 1,
  sendSeconds: 0.6,
  warmUpSeconds: 0.3,
  normalSeconds: 1.5,
  readBlocks: 3,
  readsABlock: 5,
  registrations: 10,
  sendBlocks: 3,
  sendsABlock: 15,
  queues: [1, 100],
  warmUpDeliveries: 3,
  deliveriesTo: () => 20,
};
