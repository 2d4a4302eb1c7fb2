import { Inject, Injectable } from '@nestjs/common';
import { READ_MODELS, type ReadModels } from '../platform/read-models/read-models.js';
import { Directory } from './directory.js';

/** What is asked before a decision or an answer: the organization in memory, and the documents of read models. */
@Injectable()
export class Facts {
  constructor(
    readonly directory: Directory,
    @Inject(READ_MODELS) readonly readModels: ReadModels,
  ) {}
}
