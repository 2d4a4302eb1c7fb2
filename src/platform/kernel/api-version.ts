/**
 * The API level of this server, as sent to clients (`GET /server_settings`, register). `zulip_version`, which clients
 * compare with, is the API's release, not this program's.
 */
export const API_VERSION = { zulip_version: '11.0', zulip_merge_base: '11.0', zulip_feature_level: 421 } as const;
