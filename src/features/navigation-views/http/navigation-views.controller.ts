import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IsBoolean, IsOptional, IsString } from 'class-validator';
import type { NavigationViewForClients } from '../../../../projections/navigation-views/navigation-views.projection.js';
import { Caller, commandContext } from '../../../directory/http/caller.decorator.js';
import { JsonText } from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathRest } from '../../../platform/http/parameters/path.decorators.js';
import { AddNavigationView, EditNavigationView, RemoveNavigationView } from '../domain/navigation-views.js';
import { GetNavigationViews } from '../navigation-views.handlers.js';

/** `POST /navigation_views` */
export class AddNavigationViewParameters {
  @IsString()
  readonly fragment!: string;

  @JsonText()
  @IsBoolean()
  readonly is_pinned!: boolean;

  @IsOptional()
  @IsString()
  readonly name?: string;
}

/** `PATCH /navigation_views/{fragment}` */
export class EditNavigationViewParameters {
  @IsOptional()
  @JsonText()
  @IsBoolean()
  readonly is_pinned?: boolean;

  @IsOptional()
  @IsString()
  readonly name?: string;
}

@Controller('navigation_views')
export class NavigationViewsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  async list(@Caller() { user }: Caller): Promise<{ navigation_views: readonly NavigationViewForClients[] }> {
    return { navigation_views: await this.queries.execute(new GetNavigationViews({ userId: user._id })) };
  }

  @Post()
  async add(
    @Caller() caller: Caller,
    @Parameters(AddNavigationViewParameters) { fragment, is_pinned: isPinned, name }: AddNavigationViewParameters,
  ): Promise<void> {
    const fields = { name: name ?? null, isPinned };
    await this.commands.execute(
      new AddNavigationView({ userId: caller.user._id, fragment, fields, by: commandContext(caller) }),
    );
  }

  @Patch('*')
  async edit(
    @Caller() caller: Caller,
    @PathRest() fragment: string,
    @Parameters(EditNavigationViewParameters) { is_pinned: isPinned, name }: EditNavigationViewParameters,
  ): Promise<void> {
    const fields = { ...(name !== undefined && { name }), ...(isPinned !== undefined && { isPinned }) };
    await this.commands.execute(
      new EditNavigationView({ userId: caller.user._id, fragment, fields, by: commandContext(caller) }),
    );
  }

  @Delete('*')
  async remove(@Caller() caller: Caller, @PathRest() fragment: string): Promise<void> {
    await this.commands.execute(
      new RemoveNavigationView({ userId: caller.user._id, fragment, by: commandContext(caller) }),
    );
  }
}
