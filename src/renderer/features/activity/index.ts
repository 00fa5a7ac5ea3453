import { part, type SectionFeature, WHOLE } from '../feature.ts'

export const activity = {
  section: 'activity',
  needs: 'activity.read',
  part: (server) => part(() => import('./Activity.svelte'), { server }, WHOLE),
  fills: true,
} as const satisfies SectionFeature
