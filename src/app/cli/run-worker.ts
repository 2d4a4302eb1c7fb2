import type { Config } from '../config/config.js';
import { mailSaying } from '../config/open-mailer.js';
import { startWorker } from '../roles/worker-process.js';
import { complain } from './failure.js';
import type { Printing } from './shell.js';
import { endWithin, startUnlessStopped, stopAsked, stoppedOrLost } from './stop-signals.js';

/** Keeps projections until it is told to stop. */
export async function runWorker(config: Config, { output, errors }: Printing): Promise<void> {
  const stopped = stopAsked();
  const running = await startUnlessStopped(stopped, () => startWorker(config));
  void stopped.then(() => endWithin());
  try {
    output.write(`Annals keeps documents. Health: ${running.url}/health\n${mailSaying(config)}\n`);
    for (const { name, state, error } of running.worker.status())
      if (error)
        complain(
          errors,
          `projection ${name} ${state === 'failed' ? 'has failed' : 'makes no headway'}: ${error.message}`,
        );
    await stoppedOrLost(stopped, running.lost);
    output.write('Stopping: finishing what is being written …\n');
  } finally {
    endWithin();
    await running.close();
  }
}
