import { part, type SectionFeature, WHOLE } from '../feature.ts'

export const backups = {
  section: 'backups',
  needs: 'backups.read',
  part: (server) => part(() => import('./Backups.svelte'), { server }, WHOLE),
  fills: true,
} as const satisfies SectionFeature
