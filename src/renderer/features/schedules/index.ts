import { part, type SectionFeature, WHOLE } from '../feature.ts'

export const schedules = {
  section: 'schedules',
  needs: 'schedules.read',
  part: (server) => part(() => import('./Schedules.svelte'), { server }, WHOLE),
  fills: true,
} as const satisfies SectionFeature
