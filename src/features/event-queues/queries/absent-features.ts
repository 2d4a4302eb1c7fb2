/**
 * Empty parts of the register response, by the name under which clients fetch them. A feature that reads a part of the
 * name replaces the empty one.
 */
export const absentFeatures: Readonly<Record<string, object>> = {
  default_stream_groups: { realm_default_stream_groups: [] },
  giphy: { giphy_api_key: '' },
  onboarding_steps: { onboarding_steps: [], navigation_tour_video_url: null },
  realm_billing: { realm_billing: { has_pending_sponsorship_request: false } },
  realm_domains: { realm_domains: [] },
  realm_embedded_bots: { realm_embedded_bots: [] },
  realm_filters: { realm_filters: [] },
  realm_incoming_webhook_bots: { realm_incoming_webhook_bots: [] },
  video_calls: { has_zoom_token: false },
};
