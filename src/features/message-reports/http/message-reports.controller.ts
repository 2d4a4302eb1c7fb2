import { Controller, Post } from '@nestjs/common';
import { IsIn } from 'class-validator';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { OptionalText } from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { REPORT_TYPES, ReportMessage, type ReportType } from '../domain/report-message.js';

class ReportMessageParameters {
  @IsIn(REPORT_TYPES) readonly report_type!: ReportType;
  @OptionalText() readonly description: string = '';
}

@Controller('messages/:message_id/report')
export class MessageReportsController {
  constructor(private readonly dispatch: Dispatch) {}

  @Post()
  async report(
    @Caller() { user, by }: Caller,
    @PathId('message_id') messageId: number,
    @Parameters() { report_type: reportType, description }: ReportMessageParameters,
  ): Promise<void> {
    const report = { messageId, reportType, description, reporterId: user._id };
    await this.dispatch.do(new ReportMessage({ ...report, by }));
  }
}
