import type { TabFeature } from '../feature.ts'

export const overview = { tab: 'overview', part: null } as const satisfies TabFeature
