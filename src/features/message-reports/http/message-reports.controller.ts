import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { IsIn, IsOptional, IsString } from 'class-validator';
import { Caller, commandContext } from '../../../directory/http/caller.decorator.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { REPORT_TYPES, ReportMessage, type ReportType } from '../domain/report-message.js';

export class ReportMessageParameters {
  @IsIn(REPORT_TYPES)
  readonly report_type!: ReportType;

  @IsOptional()
  @IsString()
  readonly description: string = '';
}

@Controller('messages/:message_id/report')
export class MessageReportsController {
  constructor(private readonly commands: CommandBus) {}

  @Post()
  async report(
    @Caller() caller: Caller,
    @PathId('message_id') messageId: number,
    @Parameters(ReportMessageParameters) { report_type: reportType, description }: ReportMessageParameters,
  ): Promise<void> {
    const report = { messageId, reportType, description, reporterId: caller.user._id };
    await this.commands.execute(new ReportMessage({ ...report, by: commandContext(caller) }));
  }
}
