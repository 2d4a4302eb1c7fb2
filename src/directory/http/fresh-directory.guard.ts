import { type CanActivate, Injectable } from '@nestjs/common';
import { Gate } from '../../platform/http/gate.js';
import { DirectoryFollower } from '../directory-follower.js';

/** Answers 503 while the directory may have missed that the caller lost a permission (D8). */
@Injectable()
export class FreshDirectoryGuard implements CanActivate {
  constructor(
    private readonly follower: DirectoryFollower,
    private readonly gate: Gate,
  ) {}

  canActivate(): true | Promise<true> {
    if (this.gate.isOpen && this.follower.isFresh()) return true;
    this.gate.requireOpen();
    return this.freshened();
  }

  private async freshened(): Promise<true> {
    await this.follower.freshen();
    return true;
  }
}
