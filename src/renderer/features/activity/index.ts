import { part, type TabFeature, WHOLE } from '../feature.ts'

export const activity = {
  tab: 'activity',
  part: (server) => part(() => import('./Activity.svelte'), { server }, WHOLE),
} as const satisfies TabFeature
