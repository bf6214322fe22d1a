const oneOf =
  'Only its description says which arguments are needed together: hosts take no alternatives there.';
const open = 'A part of its arguments is open, because its schema is too long. The API checks it.';
const overlap = 'The alternatives of its body overlap, so that no value fits exactly one of them.';
const contradiction = 'It requires a member that it also forbids.';

/** Tools whose generated requests do not fit their specification, by specification, and why. Nothing else may be wrong. */
export const knownProblems: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Zoom: {
    account_settings_update: overlap,
    update_group_settings: overlap,
    user_settings_update: overlap,
  },
  Stripe: {
    post_billing_portal_configurations: open,
    post_terminal_readers_reader_set_reader_display: open,
  },
  Jira: {
    set_default_values: open,
    bulk_set_issues_properties_list: open,
    add_security_level_members: contradiction,
    create_screen_scheme: contradiction,
  },
  GitHub: {
    create_campaign: oneOf,
    add_item_for_org: oneOf,
    update_org_custom_pattern: oneOf,
    update_setup: oneOf,
    code_scanning_update_alert: oneOf,
    create_variant_analysis: oneOf,
    dependabot_update_alert: oneOf,
    update_information_about_pages_site: oneOf,
    secret_scanning_update_alert: oneOf,
    update_repo_custom_pattern: oneOf,
    add_item_for_user: oneOf,
  },
};
