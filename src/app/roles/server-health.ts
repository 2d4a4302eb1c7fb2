import { Global, Inject, Injectable, Module } from '@nestjs/common';
import { DirectoryFollower } from '../../directory/directory-follower.js';
import { Gate } from '../../platform/http/gate.js';
import { HEALTH, type Health, type HealthReport, wholeMilliseconds } from '../health/health.js';
import { READ_SIDE, type ReadSide } from './read-side.js';

/** Health of a process that answers clients. */
@Injectable()
class ServerHealth implements Health {
  constructor(
    @Inject(READ_SIDE) private readonly readSide: ReadSide,
    private readonly directory: DirectoryFollower,
    private readonly gate: Gate,
  ) {}

  report(): HealthReport {
    const { readSide, directory, gate } = this;
    return {
      ready: gate.isOpen && readSide.ready() && directory.isFresh(),
      engines: {
        log: { reachable: directory.isConfirmed(), answeredMsAgo: wholeMilliseconds(directory.age()) },
        documents: readSide.documents(),
      },
      projections: readSide.status(),
      passedOver: readSide.passedOver(),
    };
  }
}

@Global()
@Module({ providers: [{ provide: HEALTH, useClass: ServerHealth }], exports: [HEALTH] })
export class ServerHealthModule {}
