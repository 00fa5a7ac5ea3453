/** Parts of the page of an account, in their order; also their addresses. */
export const accountSections = ['profile', 'security', 'devices', 'plan', 'data', 'advanced'] as const

export type AccountSection = (typeof accountSections)[number]

export const isAccountSection = (name: string): name is AccountSection =>
  (accountSections as readonly string[]).includes(name)
