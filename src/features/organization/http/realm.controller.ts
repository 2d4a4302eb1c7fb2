import { Controller, Patch } from '@nestjs/common';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { changeRealmSettings } from './update-realm.mapping.js';
import { UpdateRealmParameters } from './update-realm.parameters.js';

@Controller('realm')
export class RealmController {
  constructor(private readonly dispatch: Dispatch) {}

  @Patch()
  async update(@Caller() { by }: Caller, @Parameters() parameters: UpdateRealmParameters): Promise<void> {
    await this.dispatch.do(changeRealmSettings(parameters, by));
  }
}
