import { Controller, Get, Inject } from '@nestjs/common';
import { Directory } from '../../../directory/directory.js';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { isAdministrator, may } from '../../../directory/permissions.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { HEALTH, type HealthSource } from '../../../platform/kernel/health-source.js';

@Controller('health')
export class HealthController {
  constructor(
    @Inject(HEALTH) private readonly health: HealthSource,
    private readonly directory: Directory,
  ) {}

  /** @throws DomainError HEALTH_NOT_ALLOWED */
  @Get()
  details(@Caller() { user }: Caller): object {
    if (!isAdministrator(user) && !may(user, 'can_audit_group', this.directory)) refuse('HEALTH_NOT_ALLOWED');
    return this.health.report();
  }
}
