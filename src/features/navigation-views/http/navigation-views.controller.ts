import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { IsBoolean, IsOptional, IsString } from 'class-validator';
import type { NavigationViewForClients } from '../../../../projections/navigation-views/navigation-views.projection.js';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { JsonText, OptionalText } from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathRest } from '../../../platform/http/parameters/path.decorators.js';
import { AddNavigationView, EditNavigationView, RemoveNavigationView } from '../domain/navigation-views.js';
import { GetNavigationViews } from '../navigation-views.handlers.js';

/** `POST /navigation_views` */
class AddNavigationViewParameters {
  @IsString() readonly fragment!: string;
  @JsonText() @IsBoolean() readonly is_pinned!: boolean;
  @OptionalText() readonly name?: string;
}

/** `PATCH /navigation_views/{fragment}` */
class EditNavigationViewParameters {
  @IsOptional() @JsonText() @IsBoolean() readonly is_pinned?: boolean;
  @OptionalText() readonly name?: string;
}

@Controller('navigation_views')
export class NavigationViewsController {
  constructor(private readonly dispatch: Dispatch) {}

  @Get()
  async list(@Caller() { user }: Caller): Promise<{ navigation_views: readonly NavigationViewForClients[] }> {
    return { navigation_views: await this.dispatch.ask(new GetNavigationViews({ userId: user._id })) };
  }

  @Post()
  async add(
    @Caller() { user, by }: Caller,
    @Parameters() { fragment, is_pinned: isPinned, name }: AddNavigationViewParameters,
  ): Promise<void> {
    const fields = { name: name ?? null, isPinned };
    await this.dispatch.do(new AddNavigationView({ userId: user._id, fragment, fields, by }));
  }

  @Patch('*')
  async edit(
    @Caller() { user, by }: Caller,
    @PathRest() fragment: string,
    @Parameters() { is_pinned: isPinned, name }: EditNavigationViewParameters,
  ): Promise<void> {
    const fields = { ...(name !== undefined && { name }), ...(isPinned !== undefined && { isPinned }) };
    await this.dispatch.do(new EditNavigationView({ userId: user._id, fragment, fields, by }));
  }

  @Delete('*')
  async remove(@Caller() { user, by }: Caller, @PathRest() fragment: string): Promise<void> {
    await this.dispatch.do(new RemoveNavigationView({ userId: user._id, fragment, by }));
  }
}
