/**
 * The API level that this server speaks, as clients read it (`GET /server_settings`, register). `zulip_version` is
 * what clients compare with; it names the API's release, not this program's.
 */
export const API_VERSION = {
  zulip_version: '11.0',
  zulip_merge_base: '11.0',
  zulip_feature_level: 421,
} as const;
