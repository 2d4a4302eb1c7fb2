import type { ChangeProfileField } from '../domain/change-profile-field.js';
import type { ProfileFieldDraft } from '../domain/profile-field-rules.js';
import type { CreateProfileFieldParameters, UpdateProfileFieldParameters } from './profile-field.parameters.js';

export const profileFieldDraft = (parameters: CreateProfileFieldParameters): ProfileFieldDraft => ({
  name: '',
  hint: '',
  type: parameters.field_type,
  data: {},
  displayInProfileSummary: false,
  required: false,
  editableByUser: true,
  useForUserMatching: false,
  ...profileFieldChanges(parameters),
});

export const profileFieldChanges = ({
  name,
  hint,
  field_data,
  display_in_profile_summary,
  required,
  editable_by_user,
  use_for_user_matching,
}: UpdateProfileFieldParameters): ChangeProfileField['changes'] => ({
  ...(name !== undefined && { name }),
  ...(hint !== undefined && { hint }),
  ...(field_data !== undefined && { data: field_data }),
  ...(display_in_profile_summary !== undefined && { displayInProfileSummary: display_in_profile_summary }),
  ...(required !== undefined && { required }),
  ...(editable_by_user !== undefined && { editableByUser: editable_by_user }),
  ...(use_for_user_matching !== undefined && { useForUserMatching: use_for_user_matching }),
});
