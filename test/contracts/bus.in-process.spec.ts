import { InProcessBus } from '../../src/platform/bus/in-process/in-process-bus.js';
import { busContract } from './bus.contract.js';

busContract('within one process', async () => {
  const failures: unknown[] = [];
  const bus = new InProcessBus((error) => failures.push(error));
  return { bus, failures, cleanup: () => bus.close() };
});
